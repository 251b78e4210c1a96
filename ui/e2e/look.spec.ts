import { expect, faultsOf, overflowOf, test } from "./fixtures";
import * as scenes from "./scenes";

const SIZES = [
  { width: 1024, height: 680 },
  { width: 1600, height: 1000 },
];

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    test("every page is accessible, and within the window", async ({ open, world }) => {
      const failed = await scenes.approveFailed(world, "search", colorScheme === "light" ? 21 : 22);
      await world.remotes.set({ "gitlab.checklist": false });
      const done = await scenes.validated(world, "billing", colorScheme === "light" ? 15 : 16);
      const paths = [
        "/?view=all",
        `/?view=attention&sel=${failed}`,
        `/requests/${failed}`,
        `/requests/${failed}?action=retry-approval`,
        `/requests/${done}`,
        "/new",
        "/new?kind=firewall-rule",
        "/recovery",
        "/reconcile",
        "/settings",
        "/nowhere",
      ];
      const page = await open("/?view=all");
      for (const size of SIZES) {
        await page.setViewportSize(size);
        for (const path of paths) {
          await page.goto(world.url + path);
          await expect(page.locator("main")).toBeVisible();
          await page.waitForTimeout(500);
          expect(await overflowOf(page), `${path} at ${size.width}`).toEqual([]);
          expect(await faultsOf(page), `${path} at ${size.width}`).toEqual([]);
        }
      }
      await world.engine.act(failed, "close");
    });
  });
}
