import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { startTexts } from "../locales/i18n";

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  await startTexts("en");
});

afterEach(() => cleanup());
