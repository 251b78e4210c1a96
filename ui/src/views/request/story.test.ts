import { describe, expect, it } from "vitest";
import { mockHost } from "../../host/mock";
import { evidenceOf } from "./evidence";
import { neighbours } from "./order";
import { below, commonBase, shortBase } from "./paths";
import { sampleCalls, sampleEvents, sampleHistory } from "./sample";
import { isShown, storyOf } from "./story";

const operation = mockHost({ archive: 1 }).operations.find((one) => one.step.code === 10103);
if (!operation) throw new Error("no sample at 10103");
const history = sampleHistory(operation);
const calls = sampleCalls(operation, history);
const story = storyOf(history, calls, sampleEvents(operation));

describe("the story of a request", () => {
  it("puts ignored events among the moves by time, newest first, and leaves applied ones to their moves", () => {
    expect(story.filter((line) => line.sort === "ignored").length).toBe(2);
    expect(story.length).toBe(history.length + 2);
    const times = story.map((line) => Date.parse(line.at));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it("gives each move the calls of the stay that it ended", () => {
    const [first] = story;
    expect(first?.sort === "move" && first.calls.length).toBe(6);
  });

  it("shows the calls of a step that has not ended as going on now", () => {
    const open = calls.map((call) => ({ ...call, history_seq: null }));
    expect(storyOf(history, open, [])[0]).toMatchObject({ sort: "now", calls: open });
  });

  it("is filtered by a step or by an edge of the plan", () => {
    const shown = (picked: string) => story.filter((line) => isShown(line, "all", picked)).length;
    expect(shown("10103")).toBe(1);
    expect(shown("10107")).toBe(4);
    expect(shown("10107-10108")).toBe(2);
    expect(shown("start-10401")).toBe(1);
  });
});

describe("evidence of writes", () => {
  it("counts the sends of one write and says what was read of it", () => {
    const rows = evidenceOf(calls);
    const mine = rows.filter((row) => row.account === "reviewer-b");
    expect(mine.find((row) => row.sends === 3)?.effect).toEqual({ sort: "refused", status: 401, errorClass: "auth" });
    expect(rows.find((row) => row.write.endsWith("/rebase"))?.effect.sort).toBe("readBack");
  });

  it("does not know the effect of a write without an answer", () => {
    const [first] = calls;
    if (!first) throw new Error("no calls");
    expect(evidenceOf([{ ...first, effect: "write", http_status: null }])[0]?.effect).toEqual({ sort: "open" });
  });
});

describe("paths under a common base", () => {
  it("keeps the number of a merge request with what it numbers where the base itself is called", () => {
    const mr = "/api/v4/projects/412/merge_requests/1847";
    expect(commonBase([`${mr}/approvals`, `${mr}/approve`])).toBe(mr);
    expect(commonBase([`${mr}/approvals`, mr])).toBe("/api/v4/projects/412");
    expect(below(`${mr}/approve`, mr)).toBe("/approve");
    expect(shortBase(mr)).toBe("\u2026/merge_requests/1847");
    expect(commonBase(["/approvals/1", "/tasks/2"])).toBe("");
  });
});

describe("the neighbours in the list", () => {
  it("are those of the list as it was left", () => {
    expect(neighbours(["a", "b", "c"], "b")).toEqual({ at: 1, total: 3, next: "c", previous: "a" });
    expect(neighbours([], "b")).toEqual({ at: -1, total: 0, next: null, previous: null });
  });
});
