import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { Frame } from "../frame/Frame";
import { type MockHost, mockHost } from "../host/mock";
import { withRoom } from "../test/layout";
import { show } from "../test/show";
import type { Operation } from "./types";

withRoom();

const rows = () => screen.getAllByRole("row").slice(1);
const subjectAt = (at: number) => within(rows()[at] as HTMLElement).getAllByRole("gridcell")[1]?.textContent;

/** Changes a request without telling the stream. */
function changeUnheard(host: MockHost, at: number, change: Partial<Operation>) {
  host.operations[at] = { ...(host.operations[at] as Operation), ...change };
}

function addUnheard(host: MockHost, subject: string) {
  host.operations.unshift({ ...(host.operations[0] as Operation), operation_id: "01NEW", subject_id: subject });
}

function reconnect(host: MockHost) {
  act(() => host.link("offline"));
  act(() => host.link("live"));
}

const showAgain = () => act(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
const countOf = (host: MockHost, path: string) => host.calls.filter((call) => call.path.startsWith(path)).length;

beforeEach(() => window.history.replaceState(null, "", "/"));

describe("what was missed", () => {
  it.each([
    ["the stream came back", reconnect],
    ["the window is shown again", showAgain],
  ])("is read when %s, and the list holds still", async (_, come) => {
    const host = mockHost({ archive: 300 });
    show(<Frame />, host);
    await screen.findByText("checkout-api");
    changeUnheard(host, 1, { sentence: "Changed unheard" });
    addUnheard(host, "brand-new");
    await new Promise((resolve) => setTimeout(resolve, 5));
    come(host);
    await screen.findByText("Changed unheard");
    await screen.findByText("1 newer");
    expect(subjectAt(0)).toContain("checkout-api");
    expect(countOf(host, "/api/v1/operations?limit=100")).toBe(1);
  });

  it("is read once more where nothing could be read", async () => {
    const host = mockHost({ archive: 2 });
    const call = host.call;
    host.call = () => Promise.reject(new Error("not reached"));
    show(<Frame />, host);
    await screen.findAllByText(/not reached/);
    host.call = call;
    reconnect(host);
    await screen.findByText("checkout-api");
  });

  it("asks the remotes for nothing that a person has not asked for", async () => {
    window.history.replaceState(null, "", "/reconcile");
    const host = mockHost({ archive: 2 });
    show(<Frame />, host);
    await screen.findByText(/watermark/i);
    const statuses = countOf(host, "/api/v1/status");
    reconnect(host);
    await showAgain();
    await waitFor(() => expect(countOf(host, "/api/v1/status")).toBeGreaterThan(statuses));
    expect(countOf(host, "/api/v1/reconcile")).toBe(1);
  });
});
