// Why each dependency is here (package.json has no comments):
//   react, react-dom           the view
//   @mantine/core, hooks       inputs, menus, dialogs with keyboard and screen reader behaviour
//   @mantine/dates, dayjs      date widgets that @rjsf/mantine renders
//   @rjsf/core, utils, mantine a form from a kind's JSON Schema
//   @cfworker/json-schema      validates that schema without eval, as the content policy demands
//   @tanstack/react-query      server state: cache, invalidation, retry
//   @tanstack/react-virtual    a list of 100,000 rows
//   wouter                     the router
//   @codemirror/*, @lezer/*    file differences side by side, with syntax colour; loaded on demand
//   i18next, react-i18next     English and Chinese
//   @tauri-apps/api            the desktop host's one command and one event
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const engine = process.env.SIGNALBOX_URL ?? "http://127.0.0.1:43211";

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: { "@rjsf/validator-ajv8": fileURLToPath(new URL("./src/views/change/form/noAjv.ts", import.meta.url)) },
  },
  build: { target: "safari16", chunkSizeWarningLimit: 900 },
  server: {
    host: "127.0.0.1",
    hmr: { overlay: false },
    proxy: { "/api": engine, "/healthz": engine, "/readyz": engine },
  },
  // The policy of both hosts, so that what breaks it breaks here already.
  preview: {
    headers: {
      "Content-Security-Policy":
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  },
  test: {
    env: { DEBUG_PRINT_LIMIT: "0" },
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
    server: { deps: { inline: [/@rjsf/] } },
  },
});
