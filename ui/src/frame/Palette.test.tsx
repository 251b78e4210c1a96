import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { mockHost } from "../host/mock";
import { withRoom } from "../test/layout";
import { show } from "../test/show";
import { Frame } from "./Frame";

withRoom();

beforeEach(() => window.history.replaceState(null, "", "/settings"));

describe("the palette", () => {
  it("opens what was typed, not what was found for fewer letters", async () => {
    const user = userEvent.setup();
    show(<Frame />, mockHost({ archive: 20 }));
    await user.keyboard("{Control>}k{/Control}");
    const field = await screen.findByRole("combobox");
    await user.keyboard("re");
    await screen.findAllByRole("option", { name: /→/ });
    fireEvent.change(field, { target: { value: "requests" } });
    fireEvent.keyDown(field, { key: "Enter" });
    expect(window.location.pathname).toBe("/");
  });

  it("opens a request that was found", async () => {
    const user = userEvent.setup();
    show(<Frame />, mockHost({ archive: 20 }));
    await user.keyboard("{Control>}k{/Control}");
    await user.keyboard("checkout-api");
    await screen.findAllByRole("option", { name: /checkout-api/ });
    await user.keyboard("{Enter}");
    expect(window.location.pathname).toMatch(/^\/requests\/./);
  });

  it("does not open over the dialog of a running act", async () => {
    const user = userEvent.setup();
    window.history.replaceState(null, "", "/recovery");
    show(<Frame />, mockHost({ archive: 0, stalled: 2 }));
    const ask = await screen.findAllByRole("button", { name: /^Reconcile…/ }, { timeout: 5000 });
    await user.click(ask[0]!);
    await screen.findByRole("dialog", { name: /^Reconcile: / });
    await user.keyboard("{Control>}k{/Control}");
    expect(screen.queryByRole("combobox")).toBeNull();
  });
});
