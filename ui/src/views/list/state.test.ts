import { describe, expect, it } from "vitest";
import { queryOf, readState, viewKey } from "./state";

const query = (search: string) => {
  const entries = Object.entries(queryOf(readState(new URLSearchParams(search))));
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
};

describe("the query of a view", () => {
  it("asks for what the view promises", () => {
    expect(query("view=attention")).toEqual({ outlook: "failed,unknown" });
    expect(query("view=mine")).toEqual({ mine: true });
    expect(query("view=flight")).toEqual({ outlook: "running,waiting" });
    expect(query("view=all")).toEqual({});
    expect(query("view=nonsense")).toEqual({});
  });

  it("is narrowed by the filters", () => {
    expect(query("view=attention&outlook=failed,done&stage=101&who=bob&q=pay")).toEqual({
      outlook: "failed",
      requested_by: "bob",
      stage: "101",
      q: "pay",
    });
  });

  it("does not depend on which row is selected", () => {
    expect(viewKey(new URLSearchParams("sel=1&view=mine&kind=a"))).toBe(
      viewKey(new URLSearchParams("view=mine&kind=a&sel=2")),
    );
  });
});
