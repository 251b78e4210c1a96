import { describe, expect, it } from "vitest";
import { parseUnified } from "./unified";

const DIFF = `--- a/limits/a.yaml
+++ b/limits/a.yaml
@@ -31,3 +31,4 @@ regions
   one:
-    rps: 1500
+    rps: 2400
+    window: 60s
   --- not a header
\\ No newline at end of file
`;

describe("a unified difference", () => {
  it("numbers both sides and leaves out what is not content", () => {
    expect(parseUnified(DIFF).map((l) => [l.sign, l.before, l.after, l.text])).toEqual([
      ["@", null, null, "@@ -31,3 +31,4 @@ regions"],
      [" ", 31, 31, "  one:"],
      ["-", 32, null, "    rps: 1500"],
      ["+", null, 32, "    rps: 2400"],
      ["+", null, 33, "    window: 60s"],
      [" ", 33, 34, "  --- not a header"],
    ]);
  });

  it("of nothing is nothing", () => {
    expect(parseUnified("")).toEqual([]);
  });
});
