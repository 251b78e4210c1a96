import { describe, expect, it } from "vitest";
import { Heard } from "./heard";

describe("what the stream has told", () => {
  it("is kept for each request", () => {
    const heard = new Heard();
    heard.hear(["a"], 10);
    heard.hear(["b"], 20);
    expect(["a", "b", "c"].map((id) => heard.changedAt(id))).toEqual([10, 20, 0]);
  });

  it("makes all stale that was read before something that is forgotten", () => {
    const heard = new Heard(2);
    heard.hear(["a"], 10);
    heard.hear(["b"], 20);
    heard.hear(["a"], 30);
    heard.hear(["c"], 40);
    expect(["a", "b", "c", "d"].map((id) => heard.changedAt(id))).toEqual([30, 20, 40, 20]);
  });
});
