import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Operation } from "../../api/types";
import { Frame } from "../../frame/Frame";
import type { MockHost } from "../../host/mock";
import { mockHost } from "../../host/mock";
import { leadOf } from "../../parts/lead";
import { withRoom } from "../../test/layout";
import { show } from "../../test/show";

vi.mock("../../parts/lead", async (original) => {
  const real = await original<typeof import("../../parts/lead")>();
  return { ...real, leadOf: vi.fn(real.leadOf) };
});
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
afterEach(() => {
  vi.useRealTimers();
});

describe("the list of requests", () => {
  it("shows where each request is, why, and what comes next", async () => {
    await open();
    expect(rows().length).toBeLessThan(60);
    expect(selectedRow()).toBeUndefined();
    expect(rows()[0]?.textContent).toContain("401 three times");
    expect(within(rows()[0] as HTMLElement).getByRole("img", { name: "at merge" })).toBeTruthy();
  });

  it("is read once when it opens", async () => {
    const host = await open();
    const lists = host.calls.filter(({ path }) => path.startsWith("/api/v1/operations?"));
    expect(lists.map(({ path }) => path)).toHaveLength(1);
  });

  it("tells what came while it was read", async () => {
    const host = mockHost({ archive: 300 });
    const call = host.call.bind(host);
    let told = false;
    vi.spyOn(host, "call").mockImplementation(async (method, path, body) => {
      const reply = await call(method, path, body);
      if (!told && path.startsWith("/api/v1/operations?")) {
        told = true;
        act(() => host.commit({ ...first(host), operation_id: "01NEW", subject_id: "brand-new" }));
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      return reply;
    });
    await open(host);
    await screen.findByText("1 newer", {}, { timeout: 3000 });
  });

  it("draws no row again because the counts of the frame were read again", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const host = await open();
    await act(() => vi.advanceTimersByTimeAsync(2000));
    const statuses = () => host.calls.filter(({ path }) => path === "/api/v1/status").length;
    const [drawn, asked] = [vi.mocked(leadOf).mock.calls.length, statuses()];
    await act(() => vi.advanceTimersByTimeAsync(16_000));
    expect(statuses()).toBeGreaterThan(asked);
    expect(vi.mocked(leadOf).mock.calls.length).toBe(drawn);
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

  it("tells of an old request that newly needs attention, below as many that do already", async () => {
    window.history.replaceState(null, "", "/?view=attention");
    const host = mockHost({ archive: 0, stalled: 60 });
    const at = host.operations.findIndex((each) => each.outlook === "done");
    const [old] = host.operations.splice(at, 1) as [Operation];
    host.operations.push({ ...old, created_at: "2020-01-01T00:00:00Z" });
    await open(host);
    act(() => host.commit({ ...old, created_at: "2020-01-01T00:00:00Z", outlook: "failed" }));
    await screen.findByText("1 newer", {}, { timeout: 3000 });
    expect(firstSubject()).toContain("checkout-api");
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
