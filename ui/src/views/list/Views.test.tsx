import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { mockHost } from "../../host/mock";
import { withNarrowWindow } from "../../test/layout";
import { show } from "../../test/show";
import { Views } from "./Views";

withNarrowWindow();

it("keeps a view of one's own also in a narrow window", async () => {
  const user = userEvent.setup();
  const onShow = vi.fn();
  show(<Views current="view=all&q=acl" counts={undefined} onShow={onShow} />, mockHost({ archive: 0 }));
  const button = screen.getByRole("button", { name: "Save view" });
  expect(button.title).toBe("Save view");
  await user.click(button);
  await user.type(await screen.findByLabelText("Name of the view"), "Access lists{Enter}");
  await user.click(await screen.findByRole("button", { name: "Access lists" }));
  expect(onShow).toHaveBeenCalledWith("view=all&q=acl");
});
