import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { LiveContext } from "../../api/live";
import { type MockHost, mockHost } from "../../host/mock";
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
