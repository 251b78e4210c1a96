import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { HostError, type Reply } from "../../host/host";
import { mockHost } from "../../host/mock";
import { show } from "../../test/show";
import { ReapplyDialog } from "./ReapplyDialog";

/** The dialog on an engine that answers the press so. */
function open(answer?: () => Promise<Reply>) {
  const host = mockHost({ archive: 2 });
  const call = host.call.bind(host);
  const posted = vi.fn();
  host.call = (method, path, body) => {
    if (method !== "POST") return call(method, path, body);
    posted(path);
    return answer ? answer() : call(method, path, body);
  };
  const operation = host.operations.find((one) => one.step.code === 10404);
  if (!operation) throw new Error("no sample at 10404");
  const onClose = vi.fn();
  show(<ReapplyDialog operation={operation} onClose={onClose} />, host);
  return { operation, onClose, posted };
}

const button = () => screen.getByRole("button", { name: /^Reapply/ });

describe("applying again", () => {
  it("does not claim that it was refused when the engine did not answer", async () => {
    open(() => Promise.reject(new HostError("broken pipe")));
    await userEvent.setup().click(button());
    const words = await screen.findByRole("alert");
    expect(words.textContent).toContain("broken pipe");
    expect(words.textContent).toContain("Whether it was accepted is not known");
    expect(words.textContent).not.toContain("Not accepted");
  });

  it("leads to the request that holds the relation", async () => {
    const problem = {
      type: "about:blank/in-progress",
      title: "in-progress",
      detail: "01KBHOLDER holds this relation.",
    };
    open(async () => ({ status: 409, body: { ...problem, status: 409, operation_id: "01KBHOLDER" } }));
    await userEvent.setup().click(button());
    const words = await screen.findByRole("alert");
    expect(words.textContent).toContain("01KBHOLDER holds this relation.");
    const link = within(words).getByRole("link", { name: "Show that request" });
    expect(link.getAttribute("href")).toBe("/requests/01KBHOLDER");
  });

  it("makes one request, however often it is pressed at once", async () => {
    const { onClose, operation, posted } = open();
    act(() => {
      button().click();
      button().click();
    });
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(posted.mock.calls).toEqual([[`/api/v1/operations/${operation.operation_id}/reapply`]]);
  });
});
