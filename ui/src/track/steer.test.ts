import { describe, expect, it } from "vitest";
import { stepTowards } from "./steer";
import type { Node } from "./types";

const node = (code: number, x: number, y: number, links: number[]) => ({ code, x, y, links }) as Node;
const nodes = [
  node(1, 0, 130, [2]),
  node(2, 100, 130, [1, 3, 4]),
  node(3, 200, 130, [2]),
  node(4, 180, 86, [2]),
  node(5, 90, 46, []),
];

describe("walking the plan with the arrow keys", () => {
  it("follows the tracks before it jumps", () => {
    expect(stepTowards(nodes, 2, "ArrowRight")).toBe(3);
    expect(stepTowards(nodes, 2, "ArrowUp")).toBe(4);
    expect(stepTowards(nodes, 1, "ArrowUp")).toBe(5);
  });

  it("stays where nothing lies that way", () => {
    expect(stepTowards(nodes, 1, "ArrowLeft")).toBe(1);
  });
});
