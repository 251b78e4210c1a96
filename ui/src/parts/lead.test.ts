import { describe, expect, it } from "vitest";
import { leadOf } from "./lead";

describe("the lead of a sentence that has little room", () => {
  const text = "Pipeline #23 on 36e4d3d failed; nothing was merged. Mend it in 10.30.4.0, then resume.";

  it("is cut between facts only", () => {
    expect(leadOf(text, 200)).toBe(text);
    expect(leadOf(text, 60)).toBe("Pipeline #23 on 36e4d3d failed; nothing was merged.");
    expect(leadOf(text, 5)).toBe("Pipeline #23 on 36e4d3d failed; nothing was merged.");
  });

  it("counts a Chinese character as two letters", () => {
    expect(leadOf("已合并。请继续。", 16)).toBe("已合并。请继续。");
    expect(leadOf("已合并。请继续。", 15)).toBe("已合并。");
  });

  it("leaves a text without a full stop as it is", () => {
    expect(leadOf("!4 is open", 3)).toBe("!4 is open");
  });
});
