import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Page } from "@playwright/test";
import { World } from "./world";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface Opened {
  /** Remotes and an engine of this test alone: no story stands in the way of another. */
  world: World;
  /** Opens a page of the console, signed in. */
  open: (path?: string, as?: "alice" | "bob") => Promise<Page>;
  /** What the page complained about; a test ends with none, or it takes them away itself. */
  complaints: string[];
}

export const test = base.extend<Opened>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const world = await World.start();
      await use(world);
      await world.close();
    },
    { timeout: 60_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  complaints: async ({}, use) => {
    const complaints: string[] = [];
    await use(complaints);
    expect(complaints).toEqual([]);
  },
  open: async ({ page, world, complaints }, use, info) => {
    listen(page, complaints);
    await use(async (path = "/", as) => {
      const token = as ? world.tokenOf(as) : world.token;
      await page.goto(`${world.url}${path}#token=${token}`);
      await expect(page.locator("main")).toBeVisible();
      return page;
    });
    if (info.status !== info.expectedStatus) await info.attach("engine.log", { body: world.log() });
    // Before the engine is stopped, which the page would complain about.
    await page.close();
  },
});

export { expect };

/** An answer that refuses is shown on the page; the browser notes it besides. */
const REFUSED = /status of (401|404|409|422)/;

/** Gathers errors of the page and what the content policy refused. */
export function listen(page: Page, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const refusal = message.text().startsWith("Failed to load resource") && REFUSED.test(message.text());
    if (!refusal && (message.type() === "error" || message.type() === "warning")) {
      complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    }
  });
}

/** Waits until the request whose page is open shows this step. */
export async function shows(page: Page, step: string): Promise<void> {
  await expect(page.locator(".ttl .mono")).toHaveText(step, { timeout: 40_000 });
}

/** What axe finds against WCAG 2.2 AA on the page as it is. */
export async function faultsOf(page: Page): Promise<{ id: string; html: string[] }[]> {
  await page.evaluate(axeSource());
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
    return violations.map(({ id, nodes }) => ({ id, html: nodes.slice(0, 3).map((node) => node.html) }));
  });
}

/** Whatever is wider than the window, or hides a part of itself. */
export function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const parts = [...document.querySelectorAll("main, .top, .views, .filters, .rail, .bar, header.head, .planbox")];
    const cut = parts
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => part.className || part.tagName);
    return root.scrollWidth > innerWidth ? [`page ${root.scrollWidth} > ${innerWidth}`, ...cut] : cut;
  });
}

function axeSource(): string {
  return readFileSync(AXE, "utf8");
}
