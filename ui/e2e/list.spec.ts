import { expect, test } from "./fixtures";
import * as scenes from "./scenes";

const rows = "[role=row][aria-rowindex]";

test("the first look: nothing yet, then a row that arrives by itself", async ({ open, world }) => {
  const page = await open("/");
  await expect(page.getByText("No requests yet")).toBeVisible();
  await expect(
    page
      .getByText("it goes through approval", { exact: false })
      .or(page.getByText("It goes through approval", { exact: false })),
  ).toBeVisible();
  await expect(page.locator(".remote", { hasText: "GitLab" })).toBeVisible();
  await expect(page.locator(".remote", { hasText: "Approval desk" })).toBeVisible();

  const id = await world.engine.quota("billing", "eu-west", "storage", 600);
  const row = page.locator(`#row-${id}`);
  await expect(row).toContainText("billing");
  await expect(row).toContainText("eu-west/storage");
  await expect(row).toContainText("waiting");
  await expect(row).toContainText("Waiting for the decision on ticket");
});

test("a row changes in place while it lives, and new ones wait behind the bar", async ({ open, world }) => {
  const id = await world.engine.quota("checkout", "eu-west", "storage", 60);
  const page = await open("/?view=all");
  const row = page.locator(`#row-${id}`);
  await expect(row).toContainText("waiting");
  const first = await page.locator(rows).first().getAttribute("id");

  const newer = await world.engine.quota("checkout", "us-east", "storage", 60);
  const bar = page.getByRole("button", { name: /1 newer/ });
  await expect(bar).toBeVisible();
  expect(await page.locator(rows).first().getAttribute("id")).toBe(first);

  await world.remotes.decide(id, "approve");
  await expect(row).toContainText("done", { timeout: 30_000 });
  await expect(row).toContainText("Effective");
  expect(await page.locator(rows).first().getAttribute("id")).toBe(first);

  await page.keyboard.press(".");
  await expect(page.locator(rows).first()).toHaveAttribute("id", `row-${newer}`);
  await expect(bar).toBeHidden();
});

test("views, filters and the selected row survive a reload and a new start", async ({ open, world }) => {
  const failed = await scenes.checksFailed(world, "media", 19);
  const page = await open("/?view=all");
  await page.getByRole("button", { name: /Needs attention/ }).click();
  await expect(page.locator(`#row-${failed}`)).toBeVisible();
  await page.getByRole("textbox", { name: "Text" }).fill("media");
  await expect(page).toHaveURL(/q=media/);
  await page.locator(`#row-${failed}`).click();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Text" })).toHaveValue("media");
  await expect(page.locator(`#row-${failed}`)).toHaveAttribute("aria-selected", "true");
  await page.goto(`${world.url}/settings`);
  await page.goto(`${world.url}/`);
  await expect(page).toHaveURL(/view=attention/);
  await expect(page).toHaveURL(/q=media/);
  await page.getByRole("textbox", { name: "Text" }).fill("no such thing");
  await expect(page.getByText("No request matches these filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.locator(`#row-${failed}`)).toBeVisible();
});

test("what needs attention is counted in the rail, above, and in the title of the window", async ({ open, world }) => {
  await scenes.checksFailed(world, "search", 20);
  const page = await open("/?view=attention");
  const count = Number(await page.locator('.rail a[href="/"] .n [aria-hidden]').textContent());
  expect(count).toBeGreaterThan(0);
  await expect(page.locator(".attn")).toContainText(String(count));
  await expect(page).toHaveTitle(new RegExp(`^${count} need`));
  await expect(page.locator(rows)).toHaveCount(count);
});
