import { afterAll, beforeAll } from "vitest";

/** Gives elements a size, which the test's browser does not compute: a virtual list shows rows only where there is room. */
export function withRoom(width = 1200, height = 680): void {
  beforeAll(() => {
    Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => height });
    Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => width });
  });
}

/** Hides what a narrow window has no room for, as the media query of the page does, which the test's browser does not evaluate. */
export function withNarrowWindow(): void {
  const rule = document.createElement("style");
  rule.textContent = ".wide-only { display: none !important; }";
  beforeAll(() => document.head.append(rule));
  afterAll(() => rule.remove());
}
