import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { mockHost } from "../host/mock";
import { show } from "../test/show";
import { Dialog } from "./Dialog";

function open() {
  const onClose = vi.fn();
  const onConfirm = vi.fn();
  const onPress = vi.fn();
  const footer = (
    <button type="button" onClick={onPress}>
      Do it
    </button>
  );
  show(
    <Dialog title="Ask" onClose={onClose} onConfirm={onConfirm} footer={footer}>
      <input aria-label="Comment" />
    </Dialog>,
    mockHost({ archive: 0 }),
  );
  return { onClose, onConfirm, onPress };
}

describe("the keys of a dialog", () => {
  it("leaves the Escape and the Enter that end a composition to the input method", () => {
    const { onClose, onConfirm } = open();
    const field = screen.getByRole("textbox");
    fireEvent.keyDown(field, { key: "Escape", isComposing: true });
    fireEvent.keyDown(field, { key: "Escape", keyCode: 229 });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true, isComposing: true });
    expect(onClose).not.toHaveBeenCalled();
    expect(onConfirm).not.toHaveBeenCalled();
    fireEvent.keyDown(field, { key: "Escape" });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("confirms once however long the key is held", () => {
    const { onConfirm } = open();
    const field = screen.getByRole("textbox");
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true, repeat: true });
    fireEvent.keyDown(field, { key: "Enter", metaKey: true, repeat: true });
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it("does not let a held Enter press a button", () => {
    open();
    const button = screen.getByRole("button", { name: "Do it" });
    expect(fireEvent.keyDown(button, { key: "Enter" })).toBe(true);
    expect(fireEvent.keyDown(button, { key: "Enter", repeat: true })).toBe(false);
  });
});
