import { defineConfig } from "@playwright/test";

const PORT = 5198;
const OUT = "node_modules/.mock";

/** The pages on samples: look, keys, languages, themes. `CHROMIUM` names a browser other than Playwright's own. */
export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  workers: 2,
  reporter: "line",
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: ["--no-sandbox", "--disable-background-networking"],
    },
  },
  webServer: {
    command: `npx vite build --mode mock --outDir ${OUT} && npx vite preview --outDir ${OUT} --port ${PORT} --strictPort --bypass-lock --host 127.0.0.1`,
    url: `http://127.0.0.1:${PORT}`,
    reuseExistingServer: false,
  },
});
