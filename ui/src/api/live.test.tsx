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

describe("a change while something is read for the first time", () => {
  it("is not lost to what may be done with a request", async () => {
    const host = mockHost({ archive: 2 });
    const call = host.call.bind(host);
    const [operation] = host.operations as [Operation];
    window.history.replaceState(null, "", `/requests/${operation.operation_id}`);
    host.call = async (method, path, body) => {
      const reply = await call(method, path, body);
      if (path.endsWith("/actions")) await new Promise((resolve) => setTimeout(resolve, 400));
      return reply;
    };
    show(<Frame />, host);
    const asked = () => countOf(host, `/api/v1/operations/${operation.operation_id}/actions`);
    await waitFor(() => expect(asked()).toBe(1), { timeout: 3000 });
    act(() => host.commit({ ...operation, sentence: "Committed meanwhile", version: operation.version + 1 }));
    await waitFor(() => expect(asked()).toBe(2), { timeout: 3000 });
  });

  it("that the stream was too late to tell is in the rows when they come", async () => {
    const host = mockHost({ archive: 2 });
    const [call, changes] = [host.call.bind(host), host.changes.bind(host)];
    let standing = false;
    host.changes = (onChange, onState) => changes(onChange, (link) => standing && onState(link));
    host.call = async (method, path, body) => {
      const reply = await call(method, path, body);
      if (path.startsWith("/api/v1/operations?")) await new Promise((resolve) => setTimeout(resolve, 100));
      return reply;
    };
    show(<Frame />, host);
    await waitFor(() => expect(countOf(host, "/api/v1/operations?")).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    addUnheard(host, "brand-new");
    standing = true;
    act(() => host.link("live"));
    await screen.findByText("brand-new");
    expect(subjectAt(0)).toContain("brand-new");
    expect(countOf(host, "/api/v1/operations?")).toBe(2);
  });
});
