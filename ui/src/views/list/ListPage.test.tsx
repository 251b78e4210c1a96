import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { Frame } from "../../frame/Frame";
import type { MockHost } from "../../host/mock";
import { mockHost } from "../../host/mock";
import { withRoom } from "../../test/layout";
import { show } from "../../test/show";

withRoom();

const rows = () => screen.getAllByRole("row").slice(1);
const firstSubject = () => within(rows()[0] as HTMLElement).getAllByRole("gridcell")[1]?.textContent;
const selectedRow = () => rows().find((row) => row.getAttribute("aria-selected") === "true");

function first(host: MockHost) {
  const [operation] = host.operations;
  if (!operation) throw new Error("no samples");
  return operation;
}

async function open(host = mockHost({ archive: 300 })) {
  show(<Frame />, host);
  await screen.findByText("checkout-api");
  return host;
}

beforeEach(() => window.history.replaceState(null, "", "/"));

describe("the list of requests", () => {
  it("shows where each request is, why, and what comes next", async () => {
    await open();
    expect(rows().length).toBeLessThan(60);
    expect(selectedRow()).toBeUndefined();
    expect(rows()[0]?.textContent).toContain("401 three times");
    expect(within(rows()[0] as HTMLElement).getByRole("img", { name: "at merge" })).toBeTruthy();
  });

  it("does not move when something new comes, and shows it when asked", async () => {
    const user = userEvent.setup();
    const host = await open();
    const made = { ...first(host), operation_id: "01NEW", subject_id: "brand-new" };
    act(() => host.commit(made));
    await screen.findByText("1 newer", {}, { timeout: 3000 });
    expect(firstSubject()).toContain("checkout-api");
    await user.keyboard(".");
    await waitFor(() => expect(firstSubject()).toContain("brand-new"));
  });

  it("changes a row in place when the engine commits", async () => {
    const host = await open();
    act(() => host.commit({ ...first(host), outlook: "running", sentence: "Approving again on 3f2a91c" }));
    await screen.findByText("Approving again on 3f2a91c");
    expect(firstSubject()).toContain("checkout-api");
  });

  it("is walked and opened with the keyboard", async () => {
    const user = userEvent.setup();
    await open();
    await user.keyboard("jj");
    await waitFor(() => expect(selectedRow()?.textContent).toContain("payments-ledger"));
    await user.keyboard("k");
    await waitFor(() => expect(selectedRow()?.textContent).toContain("checkout-api"));
    await user.keyboard("x");
    await screen.findByText("1 selected");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(window.location.pathname).toMatch(/^\/requests\/01KB9/));
  });

  it("filters by text from the keyboard and says when nothing matches", async () => {
    const user = userEvent.setup();
    await open();
    await user.keyboard("/");
    await user.keyboard("no such thing");
    await screen.findByText("No request matches these filters");
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await screen.findByText("checkout-api");
  });

  it("keeps view and filters for the next start", async () => {
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole("button", { name: /Needs attention/ }));
    await waitFor(() => expect(window.location.search).toContain("view=attention"));
    expect(localStorage.getItem("signalbox.list")).toContain("view=attention");
  });

  it("says of when it is while the engine is not reached", async () => {
    const host = await open();
    act(() => host.link("offline"));
    await screen.findByText("Not connected to the engine");
    act(() => host.link("live"));
    await waitFor(() => expect(screen.queryByText("Not connected to the engine")).toBeNull());
  });
});
