import { describe, expect, it } from "vitest";
import type { Operation } from "../../api/types";
import { makeOperations } from "../../host/mock/operations";
import { ageOf } from "./age";
import { newerThan } from "./newer";

const operations = makeOperations(0);

describe("what is newer than the rows", () => {
  it("is what the head has and the rows do not", () => {
    const held = new Set(operations.slice(2).map((o) => o.operation_id));
    expect(newerThan(held, operations)).toEqual({ count: 2, failed: 1, unknown: 0, other: 1 });
  });

  it("is not what the next page brings", () => {
    const [one] = operations as [Operation];
    const made = (id: string, minute: number): Operation => ({
      ...one,
      operation_id: id,
      created_at: `2026-01-01T00:0${minute}:00Z`,
    });
    const last = made("B", 2);
    const head = [made("D", 3), made("C", 2), last, made("A", 2), made("E", 1)];
    expect(newerThan(new Set(["B"]), head, last).count).toBe(2);
    expect(newerThan(new Set(["B"]), head).count).toBe(4);
  });
});

describe("the age of a request", () => {
  const base = { ...operations[0], entered_at: "2026-01-01T00:00:00Z", created_at: "2026-01-01T00:00:00Z" };
  const at = (ms: number) => Date.parse("2026-01-01T00:00:00Z") + ms;

  it("is over once it is clearly longer than usual", () => {
    const waiting = { ...base, outlook: "waiting", usual_ms: 9000 } as (typeof operations)[number];
    expect(ageOf(waiting, at(10_000))).toEqual({ ms: 10_000, over: false });
    expect(ageOf(waiting, at(20_000)).over).toBe(true);
    expect(ageOf({ ...waiting, usual_ms: null }, at(10 * 9000)).over).toBe(false);
  });

  it("of one that has ended is the time it took", () => {
    const done = { ...base, outlook: "done", updated_at: "2026-01-01T00:01:00Z" } as (typeof operations)[number];
    expect(ageOf(done, at(3_600_000))).toEqual({ ms: 60_000, over: false });
  });
});
