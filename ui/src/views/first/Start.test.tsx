import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { useStatus } from "../../api/hooks";
import { httpHost } from "../../host/http";
import { mockHost } from "../../host/mock";
import { show } from "../../test/show";
import { Start } from "./Start";

function Reader() {
  useStatus();
  return "the console";
}

describe("the start", () => {
  it("offers the sandbox on a first run, and goes on once it runs", async () => {
    const user = userEvent.setup();
    const host = mockHost({ start: { mode: "first-run", settings_path: "/data/signalbox.toml" } });
    show(<Start>the console</Start>, host);
    await screen.findByText("/data/signalbox.toml");
    await user.click(screen.getByRole("button", { name: "Look again" }));
    await screen.findByText("There is no settings file there yet.");
    await user.click(screen.getByRole("button", { name: "Start practising" }));
    await screen.findByText("the console");
  });

  it("shows the engine's own words when it did not start", async () => {
    show(<Start>the console</Start>, mockHost({ start: { mode: "failed", message: "signalbox.toml:3: unknown key" } }));
    await screen.findByText("signalbox.toml:3: unknown key");
  });

  it("asks for a token in a browser, and again when the engine refuses it", async () => {
    const user = userEvent.setup();
    const host = httpHost();
    const refusing = {
      ...host,
      call: async () => ({ status: 401, body: { type: "x", title: "Unauthorized", status: 401 } }),
    };
    show(
      <Start>
        <Reader />
      </Start>,
      refusing,
    );
    await user.type(await screen.findByLabelText("Token"), "secret");
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await screen.findByText("The engine refused this token.");
    expect(sessionStorage.getItem("signalbox.token")).toBeNull();
  });
});
