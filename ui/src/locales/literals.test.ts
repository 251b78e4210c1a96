import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SPOKEN = /\b(aria-label|aria-description|title|placeholder|alt|label)="([^"]*\p{L}[^"]*)"/gu;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".tsx") && !entry.name.endsWith(".test.tsx"))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The linter refuses literal text between tags; this finds it in the attributes that are read out or shown. */
describe("every text that a person sees", () => {
  it("comes from the locales", () => {
    const found = sources(join(process.cwd(), "src")).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(SPOKEN)].map((match) => `${file}: ${match[0]}`),
    );
    expect(found).toEqual([]);
  });
});
