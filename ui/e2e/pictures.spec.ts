import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import * as scenes from "./scenes";
import { World } from "./world";

const OUT = resolve(import.meta.dirname, "../test-results/pictures");
const SIZES = [
  { width: 1024, height: 680 },
  { width: 1600, height: 1000 },
];
const LANGUAGES = ["en", "zh-CN"];
const THEMES = ["light", "dark"] as const;
/** `PICTURES=list,form` takes these pages only; any other value takes all. */
const ONLY = (process.env.PICTURES ?? "").split(",");

const FORM = {
  fields: { service: "checkout", region: "us-east", resource: "memory", limit: 56, reason: "Sale from December on." },
  comment: "",
  key: "00000000-0000-4000-8000-000000000001",
  at: new Date().toISOString(),
};

/** Brings one request into each state that is worth a picture. */
async function scene(world: World) {
  await world.remotes.set({ "pipeline.stuck_next": 1 });
  const unknown = await world.engine.quota("search", "eu-west", "memory", 128);
  await world.remotes.decide(unknown, "approve");
  const validated = await scenes.validated(world);
  const looped = await scenes.rebasedTwice(world);
  const conflict = await scenes.rebaseConflict(world);
  const checks = await scenes.checksFailed(world);
  const closed = await world.engine.quota("billing", "us-east", "memory", 48);
  await world.engine.reaches(closed, 10402);
  await world.engine.act(closed, "close", "Not needed any more: the nightly job has moved.");
  const rejected = await world.engine.submit("feature-flag", {
    client: "web",
    flag: "dark-mode",
    enabled: false,
    rollout: 0,
  });
  await world.remotes.decide(rejected, "reject", "Not before the review of contrast.");
  const lost = await scenes.callbackLost(world);
  const refused = await scenes.approveFailed(world);
  await world.remotes.set({ "gitlab.checklist": false });
  await world.engine.reaches(unknown, 10502);
  const desk = await world.engine.submit("feature-flag", {
    client: "mobile",
    flag: "new-checkout",
    enabled: true,
    rollout: 5,
  });
  await world.remotes.set({ "pipeline.stuck_next": 9 });
  await world.engine.reaches(desk, 10402);
  const waiting = await scenes.waiting(world);
  return { unknown, validated, looped, conflict, checks, closed, rejected, lost, refused, desk, waiting };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Each picture: where it is taken, and what is done before. */
const SHOTS: {
  [name: string]: { path: (s: Scene) => string; ready?: (page: Page) => Promise<void>; fresh?: boolean };
} = {
  list: { path: () => "/?view=all", ready: (page) => page.keyboard.press("j") },
  attention: { path: () => "/?view=attention" },
  "request-waiting": { path: (s) => `/requests/${s.waiting}` },
  "request-desk": { path: (s) => `/requests/${s.desk}` },
  "request-failed": { path: (s) => `/requests/${s.refused}` },
  "request-checks-failed": { path: (s) => `/requests/${s.checks}` },
  "request-conflict": { path: (s) => `/requests/${s.conflict}` },
  "request-loop": { path: (s) => `/requests/${s.looped}` },
  "request-unknown": { path: (s) => `/requests/${s.unknown}` },
  "request-validated": {
    path: (s) => `/requests/${s.validated}`,
    ready: (page) => page.getByRole("tab").nth(1).click(),
  },
  "request-closed": { path: (s) => `/requests/${s.closed}`, ready: (page) => page.getByRole("tab").nth(4).click() },
  "request-rejected": { path: (s) => `/requests/${s.rejected}`, ready: (page) => page.getByRole("tab").nth(2).click() },
  "dialog-retry": { path: (s) => `/requests/${s.refused}?action=retry-approval`, ready: dialogRead },
  "dialog-reconcile": { path: (s) => `/requests/${s.lost}?action=reconcile`, ready: dialogRead },
  "dialog-close": { path: (s) => `/requests/${s.waiting}?action=close`, ready: dialogRead },
  form: {
    path: () => "/new?kind=service-quota",
    ready: async (page) => void (await page.locator(".diff").first().waitFor()),
  },
  "form-empty": { path: () => "/new?kind=firewall-rule" },
  kinds: { path: () => "/new" },
  recovery: { path: () => "/recovery" },
  reconcile: { path: () => "/reconcile" },
  practice: { path: () => "/practice" },
  "first-run": { path: () => "http://127.0.0.1:5198/?mock=first-run" },
  settings: { path: () => "/settings" },
  palette: { path: () => "/?view=all", ready: (page) => page.keyboard.press("Control+k") },
  keys: { path: () => "/?view=all", ready: (page) => page.keyboard.press("?") },
};

async function dialogRead(page: Page): Promise<void> {
  await page.locator(".plan-h").waitFor();
}

async function shoot(context: BrowserContext, world: World, made: Scene, look: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${world.url}/#token=${world.token}`);
  for (const [name, shot] of Object.entries(SHOTS)) {
    if (!ONLY.some((part) => part !== "" && name.startsWith(part)) && !ONLY.includes("all")) continue;
    const path = shot.path(made);
    await page.goto(path.startsWith("http") ? path : world.url + path);
    await expect(page.locator("main")).toBeVisible();
    await page.waitForTimeout(900);
    await shot.ready?.(page);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(OUT, `${name}-${look}.png`) });
  }
  await page.close();
}

test("pictures of every page in every look", async ({ browser }) => {
  mkdirSync(OUT, { recursive: true });
  const world = await World.start([
    [
      /^max_looks = .*$/m,
      'max_looks = 2000\n[gitlab.wait.pipeline]\nshort = "250ms"\nshort_count = 48\nlong = "250ms"\nmax_looks = 48\n',
    ],
  ]);
  try {
    const made = await scene(world);
    for (const language of LANGUAGES) {
      for (const colorScheme of THEMES) {
        for (const viewport of SIZES) {
          if (process.env.LOOK && process.env.LOOK !== `${language}-${colorScheme}-${viewport.width}`) continue;
          const context = await browser.newContext({ colorScheme, viewport, locale: language });
          await context.addInitScript(
            ([chosen, draft]) => {
              localStorage.setItem("signalbox.language", chosen ?? "en");
              localStorage.setItem("signalbox.draft.service-quota", draft ?? "");
            },
            [language, JSON.stringify(FORM)],
          );
          await shoot(context, world, made, `${language}-${colorScheme}-${viewport.width}`);
          await context.close();
        }
      }
    }
  } finally {
    await world.close();
  }
});
