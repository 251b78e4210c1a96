import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page, test } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = [
  { width: 1024, height: 680 },
  { width: 1600, height: 1000 },
];
const PAGES = {
  list: "/?view=all",
  request: "/requests/01KB9VQ2ZR0000007TN3D8QX4M",
  recovery: "/requests/01KB9VQ2ZR0000007TN3D8QX4M?action=retry-approval",
  "new change": "/new?kind=rate-limit",
  kinds: "/new",
  "what needs a person": "/recovery?mock=stalled",
  "nothing needs a person": "/recovery?mock=empty",
  reconcile: "/reconcile",
  practice: "/practice",
  settings: "/settings",
  "first run": "/?mock=first-run",
  "failed start": "/?mock=failed",
  "damaged store": "/?mock=damaged",
  "empty list": "/?mock=empty",
  "missing page": "/nowhere",
};

interface Found {
  id: string;
  html: string[];
}

/** What axe finds against WCAG 2.2 AA. */
async function faults(page: Page): Promise<Found[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = (
      globalThis as unknown as {
        axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe;
    const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
    return violations.map(({ id, nodes }) => ({ id, html: nodes.slice(0, 3).map((node) => node.html) }));
  });
}

for (const language of ["en", "zh-CN"]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${language}, ${colorScheme}`, () => {
      test.use({ colorScheme });
      for (const [name, path] of Object.entries(PAGES)) {
        test(`${name}: accessible, and within the window`, async ({ page }) => {
          const broken: string[] = [];
          page.on("pageerror", (error) => broken.push(error.message));
          // What the content policy refuses is told as an error of the console.
          page.on("console", (message) => {
            if (message.type() === "error") broken.push(message.text());
          });
          await page.addInitScript((value) => localStorage.setItem("signalbox.language", value), language);
          for (const size of SIZES) {
            await page.setViewportSize(size);
            await page.goto(path);
            await expect(page.locator("main")).toBeVisible();
            await page.waitForTimeout(300);
            const overflow = await page.evaluate(() => ({
              x: document.documentElement.scrollWidth - innerWidth,
              y: document.documentElement.scrollHeight - innerHeight,
            }));
            expect(overflow).toEqual({ x: 0, y: 0 });
            const cut = await page.evaluate(() =>
              [...document.querySelectorAll("main, .top, .views, .filters, .rail")]
                .filter((part) => part.scrollWidth > part.clientWidth + 1)
                .map((part) => part.className || part.tagName),
            );
            expect(cut).toEqual([]);
            expect(await faults(page)).toEqual([]);
          }
          expect(broken).toEqual([]);
        });
      }
    });
  }
}
