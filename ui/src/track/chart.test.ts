import { describe, expect, it } from "vitest";
import { shapeOf } from "./chart";
import { sampleChart } from "./chart.sample";

const where = (order: "approval-first" | "mr-first") =>
  Object.fromEntries(shapeOf(sampleChart, order).hung.map((h) => [h.code, `${h.sort} ${h.on} ${h.parent}`]));

describe("the shape of the workflow", () => {
  it("finds the main line of both flows in the transition table", () => {
    expect(shapeOf(sampleChart, "approval-first").main).toEqual([
      10401, 10402, 10001, 10005, 10002, 10101, 10102, 10109, 10301,
    ]);
    expect(shapeOf(sampleChart, "mr-first").main).toEqual([
      10001, 10005, 10002, 10401, 10402, 10101, 10102, 10109, 10301,
    ]);
  });

  it("finds the rebase loop", () => {
    expect(shapeOf(sampleChart, "mr-first").loop).toEqual({
      codes: [10107, 10108],
      leaves: 10102,
      returns: 10101,
    });
  });

  it("hangs every other step from the station it belongs to", () => {
    expect(where("approval-first")).toEqual({
      10003: "failed main 10001",
      10004: "failed main 10005",
      10006: "failed start null",
      10007: "failed main 10001",
      10103: "failed main 10101",
      10104: "failed main 10102",
      10105: "failed loop 10107",
      10106: "failed loop 10108",
      10110: "failed main 10102",
      10111: "failed main 10102",
      10201: "spur main 10102",
      10202: "end spur 10201",
      10203: "failed spur 10201",
      10302: "failed main 10109",
      10403: "failed main 10401",
      10404: "end main 10402",
      10405: "end main 10402",
      10501: "unknown loop 10108",
      10502: "unknown main 10005",
      10503: "unknown loop 10107",
      10504: "unknown main 10102",
    });
  });
});
