import type { Page } from "@playwright/test";
import { expect, shows, test } from "./fixtures";

const fieldOf = (page: Page, name: string) => page.locator(".nc").getByLabel(name, { exact: true });

/** Fills the form of a service quota. */
async function fillQuota(page: Page, service: string, region: string, resource: string, limit: string): Promise<void> {
  await fieldOf(page, "Service").fill(service);
  await page.getByText(region, { exact: true }).click();
  await page.getByText(resource, { exact: true }).click();
  await fieldOf(page, "New limit").fill(limit);
}

test("from the form to in effect, live and without a reload", async ({ open, world }) => {
  const page = await open("/?view=all");
  await page.keyboard.press("n");
  await page.getByRole("button", { name: /Service quota/ }).click();
  await fillQuota(page, "billing", "eu-west", "cpu", "12");
  const preview = page.getByRole("region", { name: "What this would do" });
  await expect(preview).toContainText("free");
  await expect(preview).toContainText("quotas/billing.yaml");
  await expect(preview.locator(".diff")).toContainText("cpu: 12");
  await expect(preview.locator(".diff")).toContainText("# cores");
  await expect(preview).toContainText("Then");
  await page.getByRole("textbox", { name: "Comment" }).fill("The close of the year needs it.");
  let loads = 0;
  page.on("load", () => loads++);
  await page.getByRole("button", { name: /^Submit change/ }).click();

  await expect(page).toHaveURL(/\/requests\//);
  await shows(page, "10402 APPROVAL_WAITING");
  const id = page.url().split("/").pop() ?? "";
  await expect(page.locator(".sent")).toContainText("Waiting for the decision on ticket");
  await world.remotes.decide(id, "approve");
  await shows(page, "10301 CALLED_BACK");
  expect(loads).toBe(0);
  await expect(page.locator(".sent")).toContainText("Effective");

  const plan = page.locator(".planbox");
  for (const step of ["10401", "10402", "10001", "10005", "10002", "10101", "10102", "10109"]) {
    await expect(plan.locator(`[data-step="${step}"]`)).toHaveAttribute("aria-label", /walked/);
  }
  await expect(plan.locator('[data-step="10301"]')).toHaveAttribute("aria-label", /here now/);
  await expect(plan.locator('[data-step="10105"]')).toHaveAttribute("aria-label", /not walked/);

  const history = page.getByRole("region", { name: "History" });
  await expect(history.locator("details[data-seq]")).toHaveCount(9);
  const opened = history.locator("details", { hasText: "mr_opened" });
  await opened.locator("summary").click();
  await expect(opened.locator(".calls")).toContainText("POST");
  await expect(opened.locator(".calls")).toContainText("/merge_requests");
  await expect(opened.locator(".calls")).toContainText("201");

  await page.getByRole("tab", { name: "Files" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("quotas/billing.yaml");
  await expect(page.getByRole("tabpanel").locator(".diff")).toContainText("cpu: 12");
  await page.getByText("Side by side").click();
  await expect(page.getByRole("tabpanel").locator(".cm-editor").first()).toBeVisible();
  await page.getByRole("tab", { name: "Events" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("deploy.finished");
  await page.getByRole("tab", { name: "Approvals" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("reviewer-a");
  await page.getByRole("tab", { name: "Evidence" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("merge");
});

test("a click on the plan shows the moves of that step alone", async ({ open, world }) => {
  const id = await world.engine.quota("media", "eu-west", "storage", 13000);
  await world.engine.reaches(id, 10402);
  const page = await open(`/requests/${id}`);
  await page.locator('[data-step="10402"]').first().click({ force: true });
  const history = page.getByRole("region", { name: "History" });
  await expect(history.locator("details[data-seq]")).toHaveCount(1);
  await expect(history).toContainText("approval_sent");
  await history.getByRole("button", { name: /10402/ }).click();
  await expect(history.locator("details[data-seq]")).toHaveCount(2);
});

test("faults stand beside their fields as they are typed, and the button says what is missing", async ({ open }) => {
  const page = await open("/new?kind=firewall-rule");
  const submit = page.getByRole("button", { name: /^Submit change/ });
  await expect(submit).toBeDisabled();
  await expect(page.locator(".submit-why")).toContainText("fields to fill in");
  await fieldOf(page, "Source").fill("10.30.4.0");
  await fieldOf(page, "Port").fill("70000");
  await fieldOf(page, "Rule name").focus();
  await expect(page.locator(".field", { has: page.getByLabel("Source", { exact: true }) })).toContainText("Must match");
  await expect(page.locator(".field", { has: page.getByLabel("Port", { exact: true }) })).toContainText(
    "At most 65535",
  );
  await expect(page.locator(".submit-why")).toContainText("2 fields to correct");
  await page.getByRole("button", { name: "Go to it" }).click();
  await expect(fieldOf(page, "Source")).toBeFocused();
});

test("what the engine alone can know is shown in the preview: nothing to change, and a service without a file", async ({
  open,
}) => {
  const page = await open("/new?kind=service-quota");
  await fillQuota(page, "search", "eu-west", "storage", "900");
  const preview = page.getByRole("region", { name: "What this would do" });
  await expect(preview).toContainText("This would be refused");
  await fieldOf(page, "Service").fill("nobody-knows-it");
  await expect(preview).toContainText("quotas/nobody-knows-it.yaml");
});

test("a relation that is held leads to the request that holds it", async ({ open, world }) => {
  const holder = await world.engine.quota("media", "ap-south", "storage", 4500);
  const page = await open("/new?kind=service-quota");
  await fillQuota(page, "media", "ap-south", "storage", "5000");
  const preview = page.getByRole("region", { name: "What this would do" });
  await expect(preview).toContainText("busy");
  await expect(preview).toContainText("ops-1");
  await expect(page.getByRole("button", { name: /^Submit change/ })).toBeDisabled();
  await preview.getByRole("link", { name: "Open" }).click();
  await expect(page).toHaveURL(new RegExp(holder));
});

test("a draft survives a reload, and is gone once it is submitted", async ({ open, world }) => {
  const page = await open("/new?kind=service-quota");
  await fillQuota(page, "search", "us-east", "memory", "128");
  await expect(page.getByText(/Draft kept/)).toBeVisible();
  await page.reload();
  await expect(fieldOf(page, "New limit")).toHaveValue("128");
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/\/requests\//);
  await page.goto(`${world.url}/new?kind=service-quota`);
  await expect(fieldOf(page, "New limit")).toHaveValue("");
});

test("merge request first, when the order is switched in the settings", async ({ open, world }) => {
  const page = await open("/settings");
  await page.getByText("Merge request first", { exact: true }).click();
  await expect(page.getByText("Saved.", { exact: false })).toBeVisible();
  await expect(page.getByText(/order.*approval-first.*mr-first/)).toBeVisible();
  await page.goto(`${world.url}/new?kind=service-quota`);
  await fillQuota(page, "checkout", "eu-west", "memory", "52");
  await expect(page.getByText("mr-first")).toBeVisible();
  await page.getByRole("button", { name: /^Submit change/ }).click();
  await shows(page, "10402 APPROVAL_WAITING");
  const id = page.url().split("/").pop() ?? "";
  await expect(page.locator(".meta")).toContainText("opened");
  await page.goto(`${world.url}/settings`);
  await page.getByText("Approval first", { exact: true }).click();
  await expect(page.getByText("Saved.", { exact: false })).toBeVisible();
  await world.remotes.decide(id, "approve");
  await page.goto(`${world.url}/requests/${id}`);
  await shows(page, "10301 CALLED_BACK");
});
