import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { mockHost } from "../host/mock";
import { Dialog } from "../parts/Dialog";
import { show } from "../test/show";
import { useKeys } from "./keys";

const PRESSES = [
  { key: "k", ctrlKey: true },
  { key: "Enter", metaKey: true },
  { key: "n" },
  { key: "?" },
  { key: "j" },
];

function Page({ heard, asking = false }: { heard: (key: string) => void; asking?: boolean }) {
  const names = ["mod+k", "mod+enter", "n", "?", "j"];
  useKeys(Object.fromEntries(names.map((name) => [name, () => heard(name)])));
  if (!asking) return null;
  return (
    <Dialog title="Ask" onClose={() => {}} onConfirm={() => {}} footer={<button type="button">Do it</button>}>
      <p>Really?</p>
    </Dialog>
  );
}

it("lets no key of the page through an open dialog", () => {
  const heard = vi.fn();
  show(<Page heard={heard} asking />, mockHost({ archive: 0 }));
  for (const press of PRESSES) fireEvent.keyDown(screen.getByRole("button", { name: "Do it" }), press);
  expect(heard).not.toHaveBeenCalled();
});

it("keeps the browser's own Ctrl+K away also where it does nothing", () => {
  show(<Page heard={() => {}} asking />, mockHost({ archive: 0 }));
  expect(fireEvent.keyDown(document.body, { key: "k", ctrlKey: true })).toBe(false);
});

it("hears all of them without a dialog, and a held `mod+` key once", () => {
  const heard = vi.fn();
  show(<Page heard={heard} />, mockHost({ archive: 0 }));
  for (const press of PRESSES) fireEvent.keyDown(document.body, press);
  fireEvent.keyDown(document.body, { key: "Enter", ctrlKey: true, repeat: true });
  expect(heard.mock.calls.flat()).toEqual(["mod+k", "mod+enter", "n", "?", "j"]);
});
