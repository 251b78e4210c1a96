import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { Frame } from "../../frame/Frame";
import { type MockHost, mockHost } from "../../host/mock";
import { show } from "../../test/show";

beforeEach(() => window.history.replaceState(null, "", "/recovery"));

async function open(host = mockHost({ archive: 0, stalled: 60 })) {
  show(<Frame />, host);
  await screen.findByRole("heading", { name: "Recovery" }, { timeout: 5000 });
  return host;
}

/** Lists are read anew once a second at most, and a busy machine takes its time. */
const LISTS_MS = 10_000;

const posts = (host: MockHost) => host.calls.filter((call) => call.method === "POST");

async function causeOf(words: string) {
  const says = await screen.findByText(
    (_, element) => element?.className === "cause-says" && !!element.textContent?.includes(words),
  );
  return within(says.closest("li") as HTMLElement);
}

describe("stalled requests, by cause", () => {
  it("shows one broken pipeline with sixty victims as one row, with what may be done", async () => {
    const user = userEvent.setup();
    const host = await open();
    const cause = await causeOf("Pipeline #900 on 3f2a91c ended as failed");
    cause.getByText("60 requests");
    cause.getByText("oldest 3 h 10 ago");
    cause.getByText("10004 CREATE_PIPELINE_FAILED");
    expect(screen.getAllByRole("listitem").filter((row) => row.className === "cause")[0]?.textContent).toContain("60");
    expect(cause.getByRole("button", { name: /^Resume…/ }).title).toBe("Resume is legal for 60 of 60");
    expect(cause.queryByRole("button", { name: /^Retry approval/ })).toBeNull();

    await user.click(cause.getByRole("button", { name: /^Show the requests/ }));
    cause.getByText("The oldest 50 of 60");
    expect(cause.getAllByRole("listitem")).toHaveLength(50);
    expect(cause.getByRole("link", { name: "Show in the list" }).getAttribute("href")).toBe(
      "/?view=attention&stage=10004",
    );
    expect(posts(host)).toEqual([]);
  });

  it("opens the bulk dialog on these requests and no other", async () => {
    const user = userEvent.setup();
    const host = mockHost({ archive: 0, stalled: 3 });
    await open(host);
    const cause = await causeOf("Pipeline #900");
    await user.click(cause.getByRole("button", { name: /^Reconcile…/ }));
    await screen.findByRole("dialog", { name: "Reconcile: 3 requests" });
    const asked = host.calls.filter((call) => call.path.endsWith("/actions"));
    await waitFor(() => expect(asked.every((call) => call.path.includes("01KBVICTIM"))).toBe(true));
  });

  it("keeps the dialog with what came of it when its cause has left the page", async () => {
    const user = userEvent.setup();
    const host = mockHost({ archive: 0, stalled: 2 });
    await open(host);
    const cause = await causeOf("Pipeline #900");
    await user.click(cause.getByRole("button", { name: /^Reconcile…/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reconcile: 2 requests" }));
    const first = await dialog.findByRole<HTMLButtonElement>("button", { name: "Run the first" });
    await waitFor(() => expect(first.disabled).toBe(false));
    await user.click(first);
    await dialog.findByText("1 worked on");
    for (const one of host.operations.filter((o) => o.step.code === 10004)) {
      host.commit({ ...one, outlook: "running", step: { code: 10001, name: "CREATE_STARTED" } });
    }
    await waitFor(() => expect(screen.queryByText("10004 CREATE_PIPELINE_FAILED")).toBeNull(), { timeout: LISTS_MS });
    dialog.getByText("1 worked on");
  }, 20_000);

  it("goes from row to row with J and K, and counts in the rail", async () => {
    const user = userEvent.setup();
    await open();
    await causeOf("Pipeline #900");
    await user.keyboard("j");
    expect(document.activeElement?.getAttribute("aria-label")).toContain("Pipeline #900");
    await user.keyboard("{Enter}");
    await screen.findByText("The oldest 50 of 60");
    await user.keyboard("jk");
    expect(document.activeElement?.getAttribute("aria-label")).toContain("Pipeline #900");
    expect(screen.getByRole("link", { name: /Recovery/ }).textContent).toMatch(/causes need a person/);
  });

  it("says why it is empty", async () => {
    await open(mockHost({ empty: true }));
    await screen.findByText("Nothing stands still");
    await screen.findByText("Nothing has to follow");
    screen.getByText(/A piece of work appears here when a request is rejected/);
  });
});

describe("work that follows", () => {
  const row = (name: string) => within(screen.getByRole("row", { name: new RegExp(name) }));

  it("tells state, tries, error and effect in words, and hides what has ended under a switch", async () => {
    const user = userEvent.setup();
    await open();
    await screen.findByText("nobody tries it any more");
    const given = row("tls-termination");
    given.getByText("10 of 10 tries failed");
    given.getByText(/Last error: gitlab bot: 403/);
    given.getByText("not known");
    expect(row("risk-rules").queryByRole("button")).toBeNull();
    row("risk-rules").getByText(/It is being tried right now/);
    expect(screen.queryByText("edge-router-07 → fra1/acl-public-ingress")).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: "Show finished (1)" }));
    await screen.findByText("done and read back");
  });

  it("says the consequence before it tries, and what came of it after", async () => {
    const user = userEvent.setup();
    const host = await open();
    await screen.findByText("nobody tries it any more");
    await user.click(row("tls-termination").getByRole("button", { name: "Replay now" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Replay now" }));
    dialog.getByText(/If it is open it is closed and read back/);
    expect(posts(host)).toEqual([]);
    await user.click(dialog.getByRole("button", { name: /^Replay now/ }));
    await dialog.findByText("Done, and read back.");
    expect(posts(host).map((call) => call.path)).toEqual(["/api/v1/compensations/close_mr%3Asample-0/replay"]);
  });

  it("tries once, however often it is pressed at once", async () => {
    const user = userEvent.setup();
    const host = await open();
    await screen.findByText("nobody tries it any more");
    await user.click(row("tls-termination").getByRole("button", { name: "Replay now" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Replay now" }));
    const button = dialog.getByRole("button", { name: /^Replay now/ });
    act(() => {
      button.click();
      button.click();
    });
    await dialog.findByText("Done, and read back.");
    expect(posts(host)).toHaveLength(1);
  });

  it("gives nothing up without a reason", async () => {
    const user = userEvent.setup();
    const host = await open();
    await screen.findByText("nobody tries it any more");
    await user.click(row("tls-termination").getByRole("button", { name: "Ignore…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Ignore" }));
    dialog.getByText(/stays as it is until somebody closes it by hand/);
    await user.click(dialog.getByRole("button", { name: /^Ignore/ }));
    dialog.getByText("Say why; without a reason it is not given up.");
    expect(posts(host)).toEqual([]);
    await user.type(dialog.getByLabelText("Reason"), "closed by hand");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await dialog.findByText("Given up. Your reason is kept.");
    expect(posts(host)[0]?.body).toEqual({ reason: "closed by hand" });
  });

  it("shows the engine's refusal where somebody was first", async () => {
    const user = userEvent.setup();
    const host = await open();
    await screen.findByText("nobody tries it any more");
    await user.click(row("tls-termination").getByRole("button", { name: "Replay now" }));
    await host.call("POST", "/api/v1/compensations/close_mr%3Asample-0/ignore", { reason: "done by hand" });
    const dialog = within(await screen.findByRole("dialog", { name: "Replay now" }));
    await user.click(dialog.getByRole("button", { name: /^Replay now/ }));
    await dialog.findByText("Refused: ops-1 gave it up: done by hand.");
  });
});
