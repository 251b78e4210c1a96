import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { type MockHost, mockHost } from "../../host/mock";
import { show } from "../../test/show";
import { readDraft } from "./drafts";
import { NewChangePage } from "./NewChangePage";

type User = ReturnType<typeof userEvent.setup>;

const submissions = (host: MockHost) => host.calls.filter((call) => call.path === "/api/v1/changes");
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: /Submit change/ });

async function fill(user: User, { burst = "3000", region = "ap-northeast-1" } = {}) {
  await user.type(await screen.findByLabelText(/^Service/), "order");
  await user.click(screen.getByRole("combobox", { name: /Region/ }));
  await user.click(await screen.findByRole("option", { name: region, hidden: true }));
  await user.click(screen.getByRole("radio", { name: "rps" }));
  await user.type(screen.getByLabelText(/Requests per second/), "2400");
  await user.type(screen.getByLabelText(/^Burst/), burst);
}

beforeEach(() => window.history.replaceState(null, "", "/new?kind=rate-limit"));

describe("a new change", () => {
  it("starts with the kind, found by typing", async () => {
    window.history.replaceState(null, "", "/new");
    const user = userEvent.setup();
    show(<NewChangePage />, mockHost());
    await user.type(await screen.findByRole("textbox", { name: "Search by name" }), "服务配额{Enter}");
    await screen.findByText("Service quota");
    expect(window.location.search).toBe("?kind=service-quota");
  });

  it("says what is wrong beside the field, as one types", async () => {
    const user = userEvent.setup();
    show(<NewChangePage />, mockHost());
    expect(screen.queryByText("Needed")).toBeNull();
    await user.type(await screen.findByLabelText(/^Burst/), "12000");
    await screen.findByText("At most 9600");
    expect(button().disabled).toBe(true);
  });

  it("previews what it would do, and submits once however often it is pressed", async () => {
    const user = userEvent.setup();
    const host = mockHost();
    show(<NewChangePage />, host);
    await fill(user);
    await screen.findByText("limits/order.yaml");
    await waitFor(() => expect(button().disabled).toBe(false));
    await user.dblClick(button());
    await waitFor(() => expect(window.location.pathname).toMatch(/^\/requests\/01KC/));
    expect(submissions(host)).toHaveLength(1);
    expect(submissions(host)[0]?.body).toMatchObject({
      kind: "rate-limit",
      fields: { service: "order", region: "ap-northeast-1", resource: "rps", limits: { rps: 2400, burst: 3000 } },
      idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(readDraft("rate-limit")).toBeNull();
  }, 15_000);

  it("names the request that holds the relation", async () => {
    const user = userEvent.setup();
    show(<NewChangePage />, mockHost());
    await fill(user, { region: "cn-east-2" });
    await screen.findByText("Another request holds this subject and target.");
    expect(button().disabled).toBe(true);
    expect(screen.getAllByRole("link", { name: "Open" })[0]?.getAttribute("href")).toMatch(/^\/requests\/01KB9/);
  }, 15_000);

  it("puts what the engine refuses beside its field, and keeps the draft", async () => {
    const user = userEvent.setup();
    show(<NewChangePage />, mockHost());
    await fill(user, { burst: "13" });
    await screen.findByText("limits/order.yaml");
    await waitFor(() => expect(button().disabled).toBe(false));
    const key = readDraft("rate-limit")?.key;
    await user.click(button());
    await screen.findByText("13 is kept for tests");
    expect(readDraft("rate-limit")?.fields).toMatchObject({ limits: { burst: 13 } });
    expect(readDraft("rate-limit")?.key).toBe(key);
  }, 15_000);
});
