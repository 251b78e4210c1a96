import { describe, expect, it } from "vitest";
import { resources } from "./resources";

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ""): Map<string, string> {
  const out = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (typeof value === "string") out.set(path, value);
    else for (const [inner, text] of flatten(value, path)) out.set(inner, text);
  }
  return out;
}

/** `few_one` and `few_other` are one text: Chinese has only `_other`. */
const base = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, "");
const placeholders = (text: string) => [...text.matchAll(/{{\s*([^},\s]+)/g)].map((m) => m[1]).sort();

describe("the two languages say the same things", () => {
  for (const area of Object.keys(resources.en) as (keyof typeof resources.en)[]) {
    const en = flatten(resources.en[area] as Tree);
    const zh = flatten(resources["zh-CN"][area] as Tree);

    it(`${area}: the same keys`, () => {
      const names = (texts: Map<string, string>) => [...new Set([...texts.keys()].map(base))].sort();
      expect(names(zh)).toEqual(names(en));
    });

    it(`${area}: the same placeholders, and no text left empty`, () => {
      const byBase = new Map([...en].map(([key, text]) => [base(key), text]));
      for (const [key, text] of zh) {
        expect(text, key).not.toBe("");
        expect(placeholders(text), key).toEqual(placeholders(byBase.get(base(key)) ?? ""));
      }
    });
  }
});
