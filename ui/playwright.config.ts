import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const PORT = 5198;
const OUT = "node_modules/.mock";
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * `samples` looks at the pages on made-up requests: look, keys, languages, themes. `engine` tells the stories of the console
 * against a true `signalboxd` with its practice remotes. `pictures` photographs the pages, and is run only when it is named.
 * `CHROMIUM` names a browser other than the system's own.
 */
export default defineConfig({
  fullyParallel: true,
  workers: 2,
  reporter: "line",
  outputDir: "test-results/run",
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path)),
      args: ["--no-sandbox", "--disable-background-networking"],
    },
  },
  projects: [
    { name: "samples", testDir: "tests", use: { baseURL: `http://127.0.0.1:${PORT}` } },
    {
      name: "engine",
      testDir: "e2e",
      testIgnore: "pictures.spec.ts",
      fullyParallel: false,
      timeout: 90_000,
      expect: { timeout: 15_000 },
      use: { viewport: { width: 1280, height: 800 }, actionTimeout: 10_000, trace: "retain-on-failure" },
    },
    ...(process.env.PICTURES
      ? [{ name: "pictures", testDir: "e2e", testMatch: "pictures.spec.ts", timeout: 600_000 }]
      : []),
  ],
  webServer: {
    command: `npx vite build --mode mock --outDir ${OUT} && npx vite preview --outDir ${OUT} --port ${PORT} --strictPort --host 127.0.0.1`,
    url: `http://127.0.0.1:${PORT}`,
    reuseExistingServer: false,
  },
});
