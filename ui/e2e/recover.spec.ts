import type { Page } from "@playwright/test";
import { expect, listen, shows, test } from "./fixtures";
import * as scenes from "./scenes";

const dialogOf = (page: Page) => page.getByRole("dialog");

/** Presses the button of an open dialog and waits until all three lights are on. */
async function pressAndSee(page: Page, name: RegExp): Promise<void> {
  const dialog = dialogOf(page);
  const button = dialog.getByRole("button", { name });
  await expect(button).toBeEnabled();
  await button.click();
  await expect(dialog.locator(".three > span.on")).toHaveCount(3, { timeout: 20_000 });
  await expect(dialog.locator(".three")).toContainText("accepted");
  await expect(dialog.locator(".three")).toContainText("observed");
}

test("a failed pipeline is brought back with Resume", async ({ open, world }) => {
  const id = await scenes.checksFailed(world, "media", 17);
  const page = await open("/?view=attention");
  await page.locator(`#row-${id}`).dblclick();
  await shows(page, "10004 CREATE_PIPELINE_FAILED");
  await expect(page.locator(".sent")).toContainText("ended as failed");
  await expect(page.locator('[data-step="10004"]').first()).toHaveAttribute("aria-label", /here now/);
  const retry = page.locator('.bar [data-action="retry-approval"]');
  await expect(retry).toBeDisabled();
  await expect(page.locator(".bar .why")).toContainText("There is no approval to retry");

  await page.locator('.bar [data-action="resume"]').click();
  const dialog = dialogOf(page);
  await expect(dialog.locator('[data-fact="mr"]')).toContainText("opened");
  await expect(dialog.locator('[data-fact="pipeline"]')).toContainText("failed");
  await expect(dialog.locator(".plan-l li").first()).toBeVisible();
  await expect(dialog.locator(".conseq")).not.toBeEmpty();
  await expect(dialog.locator(".three > span.on")).toHaveCount(0);
  await world.remotes.retryPipelines();
  await dialog.getByRole("textbox").fill("The runner was full; it is run again.");
  await pressAndSee(page, /^Resume/);
  await dialog.getByRole("button", { name: /^Done/ }).click();
  await shows(page, "10301 CALLED_BACK");
  const history = page.getByRole("region", { name: "History" });
  await expect(history).toContainText("pipeline_failed");
  await expect(history).toContainText("The runner was full; it is run again.");
  await expect(history.locator("details", { has: page.locator("b", { hasText: /^resume$/ }) })).toContainText("ops-1");
});

test("robots that may not approve are retried when they may", async ({ open, world }) => {
  const id = await scenes.approveFailed(world, "search", 24);
  const page = await open(`/requests/${id}`);
  await shows(page, "10103 HANDLE_APPROVE_FAILED");
  await expect(page.locator(".sent")).toContainText("checklist");
  await world.remotes.set({ "gitlab.checklist": false });
  await page.locator('.bar [data-action="retry-approval"]').click();
  const dialog = dialogOf(page);
  await expect(dialog.locator('[data-fact="approvals"]')).toContainText("nobody");
  await expect(dialog.locator(".plan-l")).toContainText("/approve as reviewer-a");
  await expect(dialog.locator(".plan-l")).toContainText("will be sent");
  await pressAndSee(page, /^Retry approval/);
  await page.keyboard.press("Escape");
  await shows(page, "10301 CALLED_BACK");
});

test("a lost deploy callback is found by Reconcile on the page of the request", async ({ open, world }) => {
  const id = await scenes.callbackLost(world, "checkout", 26);
  const page = await open(`/requests/${id}`);
  await shows(page, "10109 HANDLE_MERGED");
  await page.locator('.bar [data-action="reconcile"]').click();
  const dialog = dialogOf(page);
  await expect(dialog.locator(".plan-h")).toContainText("nothing is written");
  await pressAndSee(page, /^Reconcile/);
  await expect(dialog.locator(".three")).toContainText("goes on waiting");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "History" })).toContainText("moved nothing");

  await scenes.validated(world, "billing", 13);
  await page.locator('.bar [data-action="reconcile"]').click();
  await pressAndSee(page, /^Reconcile/);
  await page.keyboard.press("Escape");
  await shows(page, "10301 CALLED_BACK");
  const last = page.getByRole("region", { name: "History" }).locator("details").first();
  await last.locator("summary").click();
  await expect(last).toContainText("which contains the merge of !1");
});

test("the Reconcile page shows what would move, by which evidence, and moves it", async ({ open, world }) => {
  const id = await scenes.callbackLost(world, "checkout", 28);
  const page = await open("/reconcile");
  await expect(page.getByText("Nothing would move")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run now" })).toBeDisabled();
  await scenes.validated(world, "billing", 14);
  await page.getByRole("button", { name: "Read again" }).click();
  await expect(page.getByText("1 request would move to VALIDATED")).toBeVisible();
  await expect(page.getByRole("row", { name: /checkout/ })).toContainText("exact");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText("1 request moved to VALIDATED")).toBeVisible();
  expect((await world.engine.operation(id)).status).toBe("VALIDATED");
});

test("Close ends a request and frees its relation, and Reapply starts from its fields", async ({ open, world }) => {
  const id = await scenes.waiting(world, "media", 26);
  const page = await open(`/requests/${id}`);
  await expect(page.locator(".looks")).toContainText("look");
  await page.locator('.bar [data-action="close"]').click();
  const dialog = dialogOf(page);
  await expect(dialog.locator(".conseq")).toContainText("is closed");
  await pressAndSee(page, /^Close Ctrl/);
  await page.keyboard.press("Escape");
  await shows(page, "10202 CLOSE_SUCCEEDED");
  await expect(page.locator('.bar [data-action="resume"]')).toBeDisabled();

  await page.locator('.bar [data-action="reapply"]').click();
  await dialogOf(page).getByRole("link", { name: "Change the fields first" }).click();
  await expect(page.locator(".nc").getByLabel("Service", { exact: true })).toHaveValue("media");
  await expect(page.locator(".nc").getByLabel("New limit", { exact: true })).toHaveValue("26");
  await page.locator(".nc").getByLabel("New limit", { exact: true }).fill("27");
  await expect(page.getByRole("region", { name: "What this would do" })).toContainText("free again");
  await page.getByRole("button", { name: /^Submit change/ }).click();
  await shows(page, "10402 APPROVAL_WAITING");
  expect(page.url()).not.toContain(id);
});

test("the second of two people is told kindly who was first", async ({ browser, open, world, complaints }) => {
  const id = await scenes.waiting(world, "media", 29);
  const page = await open(`/requests/${id}?action=close`);
  const context = await browser.newContext();
  const other = await context.newPage();
  listen(other, complaints);
  // Both press in the same moment, and the press of the other person is the slower one.
  let release = () => {};
  const first = new Promise<void>((done) => {
    release = done;
  });
  await other.route("**/actions/close", async (route) => {
    await first;
    await route.continue();
  });
  await other.goto(`${world.url}/requests/${id}?action=close#token=${world.tokenOf("alice")}`);
  await dialogOf(other)
    .getByRole("button", { name: /^Close Ctrl/ })
    .click();
  await expect(dialogOf(other)).toContainText("sending");
  await pressAndSee(page, /^Close Ctrl/);
  release();
  await expect(dialogOf(other).getByRole("alert")).toContainText("was first");
  await expect(dialogOf(other)).toContainText("ended as CLOSED");
  await context.close();
});

test("an unknown result is no failure: it says that it is safe to wait, and goes on when looked at again", async ({
  open,
  world,
}) => {
  const id = await scenes.waiting(world, "media", 28);
  await world.engine.reaches(id, 10502);
  const page = await open(`/requests/${id}`);
  await shows(page, "10502 CREATE_PIPELINE_PENDING");
  await expect(page.locator("header.head")).toContainText("not known, and safe to keep waiting");
  await expect(page.locator(".ttl .o-unknown").or(page.locator(".ttl .mk.o-unknown")).first()).toBeVisible();
  await world.remotes.pipelines("pass");
  await page.locator('.bar [data-action="reconcile"]').click();
  await pressAndSee(page, /^Reconcile/);
  await page.keyboard.press("Escape");
  await shows(page, "10301 CALLED_BACK");
});
