import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { LiveContext } from "../../api/live";
import type { Reply } from "../../host/host";
import { type MockHost, mockHost } from "../../host/mock";
import { withNarrowWindow } from "../../test/layout";
import { show } from "../../test/show";
import { RequestPage } from "./RequestPage";

beforeAll(() => {
  // The test's document has no layout: every element is as wide as the plan needs.
  Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => 1320 });
});

function openAt(code: number, host: MockHost = mockHost({ archive: 2 }), link: "live" | "offline" = "live") {
  const operation = host.operations.find((one) => one.step.code === code);
  if (!operation) throw new Error(`no sample at ${code}`);
  show(
    <LiveContext value={{ link, lastAt: null, changedAt: {} } as never}>
      <RequestPage operationId={operation.operation_id} />
    </LiveContext>,
    host,
  );
  return { host, operation };
}

/** The mock host where one part of a request cannot be read until `mend` is called; without an answer it is read for ever. */
function hostWithout(part: string, answer?: Reply) {
  const host = mockHost({ archive: 2 });
  const call = host.call.bind(host);
  let broken = true;
  host.call = (method, path, body) => {
    if (!broken || !path.endsWith(`/${part}`)) return call(method, path, body);
    return answer ? Promise.resolve(answer) : new Promise(() => {});
  };
  return Object.assign(host, {
    mend: () => {
      broken = false;
    },
  });
}

const DAMAGED: Reply = {
  status: 500,
  body: { type: "about:blank", title: "store", detail: "The store gave no answer." },
};
const CLAIMS =
  /Nothing has been written|Nothing has come in|Nothing has been edited|No approval has been asked|\b0 (moves|calls)|0 ignored/;
const panes = () => screen.getByRole("tabpanel");
const openTab = async (name: RegExp) => userEvent.setup().click(await screen.findByRole("tab", { name }));

const history = () => screen.findByRole("region", { name: "History" });

describe("the page of a request", () => {
  it("offers the recommended act first, and says why another is not legal", async () => {
    openAt(10103);
    const bar = await screen.findByRole("toolbar");
    await waitFor(() => expect(within(bar).getAllByRole("button")[0]?.textContent).toBe("Retry approval"));
    expect(within(bar).getByRole("button", { name: "Reapply" })).toHaveProperty("disabled", true);
    expect(bar.textContent).toContain("only after REJECTED or CLOSED; this relation is HANDLE_FAILED");
  });

  it("offers to apply again where the relation is free", async () => {
    openAt(10404);
    const bar = await screen.findByRole("toolbar");
    expect(within(bar).getByRole("button", { name: "Reapply" })).toHaveProperty("disabled", false);
  });

  it("tells the moves with their calls, and ignored events struck through between them", async () => {
    openAt(10103);
    const region = await history();
    expect(await within(region).findByText("15 moves, 12 calls, 2 ignored")).toBeTruthy();
    expect(within(region).getAllByRole("row").length).toBe(7);
    expect(region.querySelectorAll(".mv.ign").length).toBe(2);
  });

  it("filters the history by a step of the plan, and shows all again", async () => {
    openAt(10103);
    const region = await history();
    await waitFor(() => expect(document.querySelector('[data-step="10107"]')).toBeTruthy());
    const step = document.querySelector('[data-step="10107"]');
    if (!step) throw new Error("no step");
    fireEvent.click(step);
    await waitFor(() => expect(region.querySelectorAll(".hist .mv").length).toBe(4));
    await userEvent.setup().click(within(region).getByRole("button", { name: /only 10107/ }));
    await waitFor(() => expect(region.querySelectorAll(".hist .mv").length).toBe(17));
  });

  it("opens the dialog of an action from its event on the plan", async () => {
    openAt(10103);
    await waitFor(() => expect(document.querySelector(".tp text.press")).toBeTruthy());
    const close = [...document.querySelectorAll(".tp text.press")].find((text) => text.textContent?.endsWith("close"));
    if (!close) throw new Error("no event");
    fireEvent.click(close);
    expect((await screen.findByRole("dialog")).textContent).toContain("Close");
  });

  it("tells absent and null apart in the edits", async () => {
    openAt(10103);
    await history();
    const panes = await screen.findByRole("tabpanel");
    await waitFor(() => expect(within(panes).getByText("absent")).toBeTruthy());
    expect(within(panes).getByText("null")).toBeTruthy();
  });

  it("says as of when it is shown while the engine is not reached", async () => {
    openAt(10103, mockHost({ archive: 2 }), "offline");
    expect((await screen.findByText(/Shown as it was/)).textContent).toContain("the engine is not reached");
  });

  it("says where the evidence was saved, and saves one file however often it is pressed at once", async () => {
    const host = mockHost({ archive: 2 });
    const save = vi.spyOn(host, "saveEvidence");
    const { operation } = openAt(10103, host);
    const button = await screen.findByRole("button", { name: "Export" });
    act(() => {
      button.click();
      button.click();
    });
    expect(await screen.findByText(`Saved as signalbox-${operation.operation_id}.jsonl`)).toHaveProperty(
      "role",
      "status",
    );
    expect(save.mock.calls).toEqual([[operation.operation_id]]);
  });

  it("cannot be asked for the evidence again while it is being saved, and says why it was not", async () => {
    const host = mockHost({ archive: 2 });
    let reject: (reason: Error) => void = () => {};
    host.saveEvidence = () =>
      new Promise((_, refuse) => {
        reject = refuse;
      });
    openAt(10103, host);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Export" }));
    expect(await screen.findByRole("button", { name: "Saving" })).toHaveProperty("disabled", true);
    reject(new Error("The download folder cannot be written to."));
    const words = await screen.findByText("Not saved: The download folder cannot be written to.");
    expect(words.getAttribute("role")).toBe("alert");
    expect(screen.getByRole("button", { name: "Export" })).toHaveProperty("disabled", false);
  });

  it("says in the engine's words that there is no such request", async () => {
    const host = mockHost({ archive: 2 });
    show(<RequestPage operationId="nowhere" />, host);
    expect((await screen.findByRole("alert")).textContent).toContain("No request nowhere");
  });
});

describe("a part of a request that could not be read", () => {
  const tabs = { diffs: /^Fields/, events: /^Events/, history: /^Approvals/, calls: /^Evidence/ };

  it.each(Object.entries(tabs))(
    "is said of %s in its pane, claims nothing, and is read again when asked",
    async (part, tab) => {
      const host = hostWithout(part, DAMAGED);
      openAt(10103, host);
      await openTab(tab);
      const words = await within(panes()).findByRole("alert");
      expect(words.textContent).toContain("The store gave no answer.");
      expect(document.body.textContent).not.toMatch(CLAIMS);
      host.mend();
      await userEvent.setup().click(within(words).getByRole("button", { name: "Try again" }));
      await waitFor(() => expect(within(panes()).queryByRole("alert")).toBeNull());
      expect(within(panes()).getAllByRole("table").length).toBeGreaterThan(0);
    },
  );

  it.each(Object.entries(tabs))("claims nothing of %s while it is being read", async (part, tab) => {
    openAt(10103, hostWithout(part));
    await openTab(tab);
    expect(await within(panes()).findByText(/^Reading the /)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(CLAIMS);
  });

  it.each(["history", "calls", "events"])(
    "keeps the history from being told without %s, until it is read again",
    async (part) => {
      const host = hostWithout(part, DAMAGED);
      openAt(10103, host);
      const again = await screen.findByRole("button", { name: "Try again" });
      expect(screen.queryByRole("region", { name: "History" })).toBeNull();
      host.mend();
      await userEvent.setup().click(again);
      expect(await within(await history()).findByText("15 moves, 12 calls, 2 ignored")).toBeTruthy();
    },
  );

  it("has no number beside its tab", async () => {
    openAt(10103, hostWithout("events", DAMAGED));
    await screen.findByRole("button", { name: "Try again" });
    expect(screen.getByRole("tab", { name: /^Events/ }).textContent).toBe("Events");
    expect(screen.getByRole("tab", { name: /^Fields/ }).textContent).toMatch(/^Fields\d+$/);
  });
});

describe("in a narrow window", () => {
  withNarrowWindow();

  it("reads the remotes again when asked, and keeps the focus meanwhile", async () => {
    const { host, operation } = openAt(10103);
    const path = `/api/v1/operations/${operation.operation_id}/actions`;
    const readings = () => host.calls.filter((call) => call.path === path).length;
    const again = await screen.findByRole("button", { name: /Read the remotes again$/ });
    await waitFor(() => expect(again.getAttribute("aria-disabled")).toBe("false"));
    expect(again.querySelector("time")?.closest(".wide-only")).toBeNull();
    expect(again.title).toBe("Read the remotes again");
    const before = readings();
    await userEvent.setup().click(again);
    await waitFor(() => expect(readings()).toBe(before + 1));
    expect(document.activeElement).toBe(again);
  });
});
