import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { mockHost } from "../host/mock";
import { withRoom } from "../test/layout";
import { show } from "../test/show";
import { Frame } from "./Frame";

withRoom();

const REFUSAL = "desk.invalid is not one of the remotes in the settings, so it is not opened.";

/** The frame at a page, on a host that opens nothing. */
function open(path: string) {
  window.history.replaceState(null, "", path);
  const host = mockHost({ archive: 2 });
  host.open = () => Promise.reject(new Error(REFUSAL));
  show(<Frame />, host);
  return host;
}

const told = async () => (await screen.findByText(REFUSAL)).closest('[role="alert"]') as HTMLElement;

it("says why the practice bar did not open a place, until it is closed", async () => {
  const user = userEvent.setup();
  open("/settings");
  await user.click(await screen.findByRole("button", { name: "Sandbox panel" }));
  await user.click(within(await told()).getByRole("button", { name: "Close this notice" }));
  expect(screen.queryByText(REFUSAL)).toBeNull();
});

it("says why a merge request in the list was not opened, and no more on another page", async () => {
  open("/");
  const [link] = await screen.findAllByRole("link", { name: /^!\d+$/ });
  await userEvent.setup().click(link!);
  await told();
  act(() => window.history.pushState(null, "", "/settings"));
  await waitFor(() => expect(screen.queryByText(REFUSAL)).toBeNull());
});

it("says why a request's merge request and ticket were not opened", async () => {
  const host = open("/");
  const operation = host.operations.find((one) => one.mr?.web_url && one.ticket?.url);
  act(() => window.history.pushState(null, "", `/requests/${operation?.operation_id}`));
  const user = userEvent.setup();
  for (const name of [`!${operation?.mr?.iid}`, `${operation?.ticket?.id}`]) {
    await user.click(await screen.findByRole("link", { name }, { timeout: 5000 }));
    await user.click(within(await told()).getByRole("button", { name: "Close this notice" }));
  }
});

it("says why a stand-in of the practice page was not opened", async () => {
  open("/practice");
  const [button] = await screen.findAllByRole("button", { name: "Open" }, { timeout: 5000 });
  await userEvent.setup().click(button!);
  await told();
});
