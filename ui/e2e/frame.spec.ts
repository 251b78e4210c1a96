import { expect, shows, test } from "./fixtures";
import * as scenes from "./scenes";

test("everything with the keyboard alone", async ({ open, world }) => {
  const first = await world.engine.quota("billing", "eu-west", "memory", 72);
  const second = await world.engine.quota("billing", "eu-west", "storage", 700);
  const page = await open("/?view=all");
  await expect(page.locator(`#row-${second}`)).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.locator(`#row-${second}`)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("j");
  await expect(page.locator(`#row-${first}`)).toHaveAttribute("aria-selected", "true");
  const peek = page.getByRole("complementary", { name: "Selected request" });
  await expect(peek).toContainText("memory");
  await page.keyboard.press("Space");
  await expect(peek).toBeHidden();
  await page.keyboard.press("Space");
  await expect(peek).toBeVisible();
  await page.keyboard.press("Enter");
  await shows(page, "10402 APPROVAL_WAITING");
  await expect(page).toHaveURL(new RegExp(first));
  await page.keyboard.press("k");
  await expect(page).toHaveURL(new RegExp(second));
  await page.keyboard.press("j");
  await expect(page).toHaveURL(new RegExp(first));

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("requests");
  await page.keyboard.press("Enter");
  await page.keyboard.press("/");
  await page.keyboard.type("storage");
  await expect(page.locator(`#row-${first}`)).toBeHidden();
  await expect(page.locator(`#row-${second}`)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { name: "What kind of change?" })).toBeVisible();
  await page.keyboard.type("quota");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/kind=service-quota/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("memory");
  await expect(page.getByRole("option", { name: /memory/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/requests\//);
});

test("the first stop of the Tab key leads past the frame", async ({ open }) => {
  const page = await open("/?view=all");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the page" });
  await expect(skip).toBeFocused();
  const box = await skip.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("Chinese, with the sentences of the engine", async ({ open, world }) => {
  const id = await world.engine.quota("search", "ap-south", "cpu", 6);
  await world.engine.reaches(id, 10402);
  const page = await open("/settings");
  await page.getByText("简体中文").click();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.getByRole("heading", { name: "设置" })).toBeVisible();
  await page.goto(`${world.url}/requests/${id}`);
  await expect(page.locator(".sent")).toContainText("等待");
  await expect(page.getByRole("region", { name: "历史" })).toContainText("已提交审批系统");
  await page.goto(`${world.url}/?view=all`);
  await expect(page.locator(`#row-${id}`)).toContainText("等待");
  await page.goto(`${world.url}/new`);
  await expect(page.getByRole("button", { name: /服务配额/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("English");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("a page that lost its engine says as of when it is, and goes on by itself", async ({
  open,
  world,
  complaints,
}) => {
  const id = await world.engine.quota("search", "ap-south", "memory", 40);
  await world.engine.reaches(id, 10402);
  const page = await open(`/requests/${id}`, "alice");
  await shows(page, "10402 APPROVAL_WAITING");
  await world.killEngine();
  await expect(page.getByText("Not connected to the engine")).toBeVisible();
  await expect(page.locator(".bar-offline")).toContainText("What you see is as of");
  await shows(page, "10402 APPROVAL_WAITING");
  await world.startEngine();
  await expect(page.getByText("Not connected to the engine")).toBeHidden({ timeout: 30_000 });
  await world.remotes.decide(id, "approve");
  await shows(page, "10301 CALLED_BACK");
  const unreached = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
  complaints.splice(0, complaints.length, ...complaints.filter((one) => !unreached.test(one)));
});

test("a token that the engine does not know is asked for again", async ({ page, world }) => {
  await page.goto(`${world.url}/#token=not-a-token-of-anybody`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("The engine refused this token.")).toBeVisible();
  await page.getByLabel("Token").fill(world.tokenOf("bob"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Requests" })).toBeVisible();
  await page.goto(`${world.url}/settings`);
  await expect(page.getByText("bob")).toBeVisible();
});

test("many at once: one first, read back, then the rest", async ({ open, world }) => {
  const ids = [await scenes.callbackLost(world, "checkout", 34), await scenes.callbackLost(world, "billing", 9)];
  const page = await open("/?view=flight");
  for (const id of ids) {
    await page.locator(`#row-${id}`).click();
    await page.keyboard.press("x");
  }
  await page.getByRole("button", { name: "Reconcile…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 would make no call that writes");
  await dialog.getByRole("button", { name: "Run the first" }).click();
  await expect(dialog).toContainText("1 worked on");
  await dialog.getByRole("button", { name: "Run the last one" }).click();
  await expect(dialog).toContainText("All have been worked on.");
});
