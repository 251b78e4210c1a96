import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { keepRestored } from "../../api/restored";
import type { Operation } from "../../api/types";
import { Frame } from "../../frame/Frame";
import { type MockHost, mockHost } from "../../host/mock";
import { withRoom } from "../../test/layout";
import { show } from "../../test/show";
import { Start } from "../first/Start";
import { sizeText } from "./size";

withRoom();
beforeEach(() => {
  keepRestored(null);
  window.history.replaceState(null, "", "/settings");
});

async function settings(host: MockHost) {
  show(
    <Start>
      <Frame />
    </Start>,
    host,
  );
  const title = await screen.findByRole("heading", { name: "Backup" }, { timeout: 5000 });
  const part = within(title.closest("section") as HTMLElement);
  await part.findAllByRole("row");
  return part;
}

const NEWEST = 1;
const DAMAGED = 3;

async function ask(part: Awaited<ReturnType<typeof settings>>, row: number, button: string) {
  const rows = await part.findAllByRole("row");
  await userEvent.click(within(rows[row] as HTMLElement).getByRole("button", { name: button }));
  return within(await screen.findByRole("dialog", { name: "Restore a backup" }));
}

describe("backups in the settings", () => {
  it("says how they are made, and makes one", async () => {
    const host = mockHost({ archive: 0 });
    const part = await settings(host);
    part.getByText(/^One is made by itself every 24 hours; the newest 7 are kept/);
    expect(part.getAllByRole("row")).toHaveLength(4);
    await userEvent.click(part.getByRole("button", { name: "Make a backup now" }));
    await part.findByText(/^Made, checked and on the disk: signalbox-/);
    await waitFor(() => expect(part.getAllByRole("row")).toHaveLength(5));
  });

  it("says what comes of a restore before it, and what came of it after", async () => {
    const host = mockHost({ archive: 0 });
    const part = await settings(host);
    const dialog = await ask(part, NEWEST, "Restore…");
    await dialog.findByText(/2024 requests are in it, 18.4 MB in all/);
    dialog.getByText(/^41 changes were made after the backup\..*nothing is done twice/);
    dialog.getByText(/^3 requests were submitted after the backup and will not be here any more/);
    dialog.getByText(/kept beside it as signalbox\.replaced-…Z\.db/);
    await userEvent.click(dialog.getByRole("button", { name: /^Restore/ }));
    const notice = within(await screen.findByRole("status", { name: "A backup was restored" }));
    notice.getByText(/is in place with 2021 requests/);
    notice.getByText(/signalbox\.replaced-20261201T010203Z\.db/);
    expect(location.pathname).toBe("/");
    await screen.findByText("checkout-api");
    await userEvent.click(notice.getByRole("button", { name: "Close this notice" }));
    expect(screen.queryByRole("status", { name: "A backup was restored" })).toBeNull();
  });

  it("shows requests as the backup has them, though they had gone further", async () => {
    window.history.replaceState(null, "", "/");
    const host = mockHost({ archive: 0 });
    show(<Frame />, host);
    await screen.findByText("checkout-api");
    await userEvent.click(screen.getByRole("link", { name: "Settings" }));
    const title = await screen.findByRole("heading", { name: "Backup" }, { timeout: 5000 });
    const dialog = await ask(within(title.closest("section") as HTMLElement), NEWEST, "Restore…");
    await dialog.findByText(/2024 requests/);
    host.operations[0] = { ...(host.operations[0] as Operation), version: 1, sentence: "As the backup has it" };
    await userEvent.click(dialog.getByRole("button", { name: /^Restore/ }));
    await screen.findByText("As the backup has it");
  });

  it("never puts a damaged backup in place", async () => {
    const part = await settings(mockHost({ archive: 0 }));
    const dialog = await ask(part, DAMAGED, "Restore…");
    await dialog.findByText(/^It is damaged \(database disk image is malformed\), so it is never put in place/);
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: /^Restore/ }).disabled).toBe(true);
  });

  it("shows why nothing was replaced", async () => {
    const host = mockHost({ archive: 0 });
    const refusing: MockHost = {
      ...host,
      backups: { pick: async () => null, restore: () => Promise.reject(new Error("It is not among the backups.")) },
    };
    const dialog = await ask(await settings(refusing), NEWEST, "Restore…");
    await dialog.findByText(/2024 requests/);
    await userEvent.click(dialog.getByRole("button", { name: /^Restore/ }));
    await dialog.findByText("Not restored: It is not among the backups.");
    expect(location.pathname).toBe("/settings");
  });

  it("restores a file that was chosen", async () => {
    const part = await settings(mockHost({ archive: 0 }));
    await userEvent.click(part.getByRole("button", { name: "Restore another file…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Restore a backup" }));
    dialog.getByText("/media/usb/signalbox.db");
    dialog.getByText(/1871 requests are in it/);
    dialog.getByText(/What requests in it have done since is found again at the remotes/);
  });

  it("shows the command where the page is served by the engine that has to stop", async () => {
    const part = await settings(mockHost({ archive: 0, backups: false }));
    expect(part.queryByRole("button", { name: "Restore another file…" })).toBeNull();
    const dialog = await ask(part, NEWEST, "How to restore…");
    await dialog.findByText(/^signalboxd restore .*\.db --data-dir /);
    dialog.getByText(/the engine that has to stop for it/);
    expect(dialog.queryByRole("button", { name: /^Restore/ })).toBeNull();
  });

  it("writes sizes for people", () => {
    expect([0, 999, 1500, 18_350_080, 257_000_000].map(sizeText)).toEqual([
      "0 B",
      "999 B",
      "1.5 kB",
      "18.4 MB",
      "257 MB",
    ]);
  });
});

describe("a store that is damaged at the start", () => {
  const file = "/data/signalbox.db";
  const good = "/data/backups/signalbox-20261130T160000Z.db";
  const backup = { file: good, at: "2026-11-30T16:00:00Z", bytes: 1, requests: 2019, damage: null };

  it("offers the last good backup with its date, and goes on once it is in place", async () => {
    const host = mockHost({
      archive: 0,
      start: { mode: "failed", message: "it is damaged", damaged: { file, backup } },
    });
    show(<Start>the console</Start>, host);
    await screen.findByRole("heading", { name: "The store is damaged" });
    screen.getByText(file);
    screen.getByText(good);
    screen.getByText(/^of 2026-11-30 .*with 2019 requests$/);
    await userEvent.click(screen.getByRole("button", { name: "Restore this backup…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Restore a backup" }));
    dialog.getByText(/^The damaged file is kept beside it as/);
    await userEvent.click(dialog.getByRole("button", { name: /^Restore/ }));
    await screen.findByText("the console");
  });

  it("offers another file where there is no good one", async () => {
    show(<Start>the console</Start>, mockHost({ start: { mode: "failed", damaged: { file } } }));
    await screen.findByText("There is no good backup in the data directory.");
    expect(screen.queryByRole("button", { name: "Restore this backup…" })).toBeNull();
    screen.getByRole("button", { name: "Choose another file…" });
  });
});

describe("the third door of the first run", () => {
  it("puts a chosen backup in place and says that the settings come next", async () => {
    const host = mockHost({ start: { mode: "first-run", data_dir: "/data" } });
    const stays: MockHost = {
      ...host,
      start: async () => ({ mode: "first-run", data_dir: "/data" }),
    };
    show(<Start>the console</Start>, stays);
    await userEvent.click(await screen.findByRole("button", { name: "Choose a backup…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Restore a backup" }));
    await userEvent.click(dialog.getByRole("button", { name: /^Restore/ }));
    await screen.findByText(/^The requests are in place/);
    screen.getByText(/The backup \/media\/usb\/signalbox\.db is in place|is in place with 2021 requests/);
  });
});
