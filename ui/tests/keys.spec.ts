import { expect, test } from "@playwright/test";

test.use({ viewport: { width: 1280, height: 800 } });

test("the list is worked with the keyboard alone", async ({ page }) => {
  await page.goto("/?view=all");
  await expect(page.getByText("checkout-api")).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("row", { selected: true })).toContainText("payments-ledger");
  await page.keyboard.press("/");
  await page.keyboard.type("geo");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/requests\//);
});

test("the palette goes to a request and changes the theme", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText("checkout-api")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find" })).toBeFocused();
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find" })).toBeFocused();
  await page.keyboard.type("inventory");
  await expect(page.getByRole("option", { name: /inventory-sync/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/requests\//);
});

test("view, filter, selection and place survive a reload", async ({ page }) => {
  await page.goto("/?view=mine");
  const scroller = page.locator(".rows");
  await expect(async () => {
    await scroller.evaluate((rows) => rows.scrollTo(0, 5000));
    expect(await page.evaluate(() => localStorage.getItem("signalbox.list.scroll"))).toContain("5000");
  }).toPass();
  const middle = page.locator(".rows-all .r").nth(20);
  await middle.click();
  const selected = new URL(page.url()).searchParams.get("sel");
  await page.goto("/");
  await expect(page).toHaveURL(/view=mine/);
  await expect(page.locator(`#row-${selected}`)).toBeInViewport();
});

test("a long list scrolls through many pages of rows", async ({ page }) => {
  await page.goto("/?view=all");
  await expect(page.getByText("checkout-api")).toBeVisible();
  for (let i = 0; i < 12; i++) {
    await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await page.waitForTimeout(60);
  }
  expect(await page.locator(".rows-all .r").count()).toBeLessThan(80);
  expect(await page.locator(".rows").evaluate((rows) => rows.scrollTop)).toBeGreaterThan(20_000);
});
