import { describe, expect, it } from "vitest";
import { standingOf } from "./stages";

const at = (code: number, flow_order: "approval-first" | "mr-first" = "approval-first", mr = true) => {
  const standing = standingOf({
    step: { code, name: "" },
    flow_order,
    mr: mr ? { project: "p", iid: 1, web_url: "", head_sha: null } : null,
  });
  return `${standing.order[standing.at]} ${standing.at} ${standing.end}`;
};

describe("where a request stands", () => {
  it("goes through the stages in the order of its flow", () => {
    expect(at(10402)).toBe("approval 0 no");
    expect(at(10001)).toBe("create 1 no");
    expect(at(10005)).toBe("checks 2 no");
    expect(at(10502)).toBe("checks 2 no");
    expect(at(10108)).toBe("merge 3 no");
    expect(at(10109)).toBe("effective 4 no");
    expect(at(10402, "mr-first")).toBe("approval 2 no");
  });

  it("tells an early end from the end", () => {
    expect(at(10301)).toBe("effective 4 all");
    expect(at(10404)).toBe("approval 0 early");
    expect(at(10202)).toBe("merge 3 early");
    expect(at(10202, "mr-first", false)).toBe("create 0 early");
  });
});
