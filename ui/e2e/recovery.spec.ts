import { expect, test } from "./fixtures";
import * as scenes from "./scenes";

test("what one cause has stopped is one row, and is set going together", async ({ open, world }) => {
  const first = await scenes.checksFailed(world, "media", 41);
  const second = await scenes.checksFailed(world, "search", 42);
  const page = await open("/recovery");
  await expect(page.locator(".rail a[href='/recovery'] .n")).toContainText("1 cause needs a person");
  const cause = page.locator(".cause");
  await expect(cause).toHaveCount(1);
  await expect(cause).toContainText("2 requests");
  await expect(cause).toContainText("10004 CREATE_PIPELINE_FAILED");
  await expect(cause).toContainText("ended as failed; nothing was approved or merged");
  await cause.getByRole("button", { name: /^Show the requests/ }).click();
  await expect(cause.getByRole("listitem")).toHaveCount(2);

  await world.remotes.retryPipelines();
  await cause.getByRole("button", { name: /^Resume/ }).click();
  const dialog = page.getByRole("dialog", { name: "Resume: 2 requests" });
  await dialog.getByRole("button", { name: "Run the first" }).click();
  await expect(dialog).toContainText("1 worked on");
  await dialog.getByRole("button", { name: "Run the last one" }).click();
  await expect(dialog).toContainText("All have been worked on.");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("Nothing stands still")).toBeVisible();
  for (const id of [first, second]) await world.engine.reaches(id, 10301);
});

test("the command that the settings show puts the backup in place", async ({ open, world }) => {
  const kept = await scenes.validated(world, "billing", 43);
  const page = await open("/settings");
  await page.getByRole("button", { name: "Make a backup now" }).click();
  await expect(page.getByText(/^Made, checked and on the disk/)).toBeVisible();
  const gone = await scenes.validated(world, "search", 44);
  await page.getByRole("button", { name: "How to restore…" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore a backup" });
  await expect(dialog).toContainText("1 request is in it");
  await expect(dialog).toContainText("1 request was submitted after the backup and will not be here any more");
  await expect(dialog.getByRole("button", { name: /^Restore/ })).toHaveCount(0);
  const line = (await dialog.locator(".by-hand .copy").getAttribute("title")) ?? "";
  await page.close();

  await world.stopEngine();
  expect(world.typed(line)).toMatch(/is in place, with 1 request/);
  await world.startEngine();
  expect((await world.engine.operation(kept)).step.code).toBe(10301);
  await expect(world.engine.operation(gone)).rejects.toThrow(/not-found/);
});
