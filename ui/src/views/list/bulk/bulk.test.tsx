import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Actions, PlannedCall } from "../../../api/types";
import { type MockHost, mockHost } from "../../../host/mock";
import { show } from "../../../test/show";
import { CheckedBar } from "../CheckedBar";
import { newFault, type Outcome } from "./run";
import { verdictOf } from "./sort";

const presses = (host: MockHost) => host.calls.filter((call) => call.method === "POST");

describe("one action on many requests", () => {
  it("sorts by what would come of it", () => {
    const call: PlannedCall = {
      remote: "gitlab",
      method: "POST",
      path: "/x",
      effect: "write",
      skip: false,
      why: "",
      account: null,
      conditional: false,
    };
    const item = { action: "resume", allowed: true, reason: null, consequence: null, plan: [call] };
    const actions = { version: 3, actions: [item] } as unknown as Actions;
    expect(verdictOf(actions, "resume", "no")).toEqual({ is: "eligible", version: 3, writes: 1 });
    expect(verdictOf({ ...actions, actions: [{ ...item, plan: [{ ...call, skip: true }] }] }, "resume", "no")).toEqual({
      is: "quiet",
      version: 3,
    });
    expect(verdictOf({ ...actions, actions: [{ ...item, allowed: false, reason: "merged" }] }, "resume", "no")).toEqual(
      {
        is: "refused",
        reason: "merged",
      },
    );
    expect(verdictOf(actions, "close", "no")).toEqual({ is: "refused", reason: "no" });
  });

  it("stops at a fault that nobody has seen yet", () => {
    const outcomes = [{ fault: null }, { fault: "stale" }] as Outcome[];
    expect(newFault(outcomes, new Set())).toBe("stale");
    expect(newFault(outcomes, new Set(["stale"]))).toBeNull();
  });

  it("runs one first, reads it back, then the rest when told", async () => {
    const user = userEvent.setup();
    const host = mockHost({ archive: 0 });
    const ids = host.operations.filter((o) => o.outlook === "waiting").map((o) => o.operation_id);
    show(<CheckedBar checked={new Set(ids)} onClear={() => {}} />, host);
    await user.click(screen.getByRole("button", { name: "Reconcile…" }));
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run the first" }).disabled).toBe(false),
    );
    await user.click(screen.getByRole("button", { name: "Run the first" }));
    await screen.findByText("1 worked on");
    expect(presses(host)).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: `Run the other ${ids.length - 1}` }));
    await screen.findByText("All have been worked on.");
    await waitFor(() => expect(presses(host)).toHaveLength(ids.length));
  });
});
