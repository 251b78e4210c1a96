import { invoke } from "@tauri-apps/api/core";
import { beforeEach, expect, it, vi } from "vitest";
import { tauriHost } from "./tauri";

vi.mock("@tauri-apps/api/core", () => ({ invoke: vi.fn() }));
vi.mock("@tauri-apps/api/event", () => ({ listen: vi.fn() }));

const command = vi.mocked(invoke);
beforeEach(() => command.mockReset());

it("has the evidence saved by the desktop, and tells where it is", async () => {
  command.mockResolvedValueOnce("Downloads/signalbox-01A.jsonl");
  expect(await tauriHost().saveEvidence("01A")).toBe("Downloads/signalbox-01A.jsonl");
  expect(command).toHaveBeenCalledWith("save_evidence", { operationId: "01A" });
});

it("refuses with the sentence of the desktop", async () => {
  command.mockRejectedValueOnce("The download folder cannot be written to.");
  await expect(tauriHost().saveEvidence("01A")).rejects.toThrow(/^The download folder cannot be written to\.$/);
});

it("says in a sentence why an address was not opened", async () => {
  command.mockRejectedValueOnce("desk.invalid is not one of the remotes in the settings.");
  await expect(tauriHost().open("https://desk.invalid")).rejects.toThrow(/^desk\.invalid is not one of the remotes/);
});
