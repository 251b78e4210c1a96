import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Actions, CallItem, HistoryItem, Operation } from "../../api/types";
import { HostError, type Reply } from "../../host/host";
import { type MockHost, mockHost } from "../../host/mock";
import { show } from "../../test/show";
import { sampleCalls, sampleHistory } from "../request/sample";
import { sampleActions } from "../request/sampleActions";
import { RecoveryDialog } from "./RecoveryDialog";

type Answer = (reply: () => Promise<Reply>, body: unknown) => Promise<Reply> | Reply;

/** The mock host with some of its answers replaced, by the end of the path. */
function hostWith(answers: Record<string, Answer>): MockHost {
  const host = mockHost({ archive: 2 });
  const call = host.call.bind(host);
  host.call = (method, path, body) => {
    const end = Object.keys(answers).find((key) => path.endsWith(key));
    const reply = () => call(method, path, body);
    const answer = end === undefined ? undefined : answers[end];
    return answer ? Promise.resolve(answer(reply, body)) : reply();
  };
  return host;
}

function failedRequest(host: MockHost): Operation {
  const operation = host.operations.find((one) => one.step.code === 10103);
  if (!operation) throw new Error("no sample at 10103");
  return operation;
}

function open(host: MockHost, action = "retry-approval", operation = failedRequest(host)) {
  const onClose = vi.fn();
  show(<RecoveryDialog operation={operation} action={action} onClose={onClose} />, host);
  return { onClose, operation };
}

const dialog = () => screen.getByRole("dialog");
const pressButton = (name = /^Retry approval/) => within(dialog()).getByRole("button", { name });
const lights = () => [...dialog().querySelectorAll(".three > span")].map((light) => light.className === "on");

describe("before anything is sent", () => {
  it("shows what was believed beside what the remotes say, with the difference in a word", async () => {
    open(mockHost({ archive: 2 }));
    const row = await waitFor(() => {
      const found = dialog().querySelector('[data-fact="approvals"]');
      if (!found) throw new Error("not yet");
      return found;
    });
    expect(row.className).toBe("df");
    expect(row.textContent).toContain("nobody");
    expect(row.textContent).toContain("reviewer-a");
    expect(row.textContent).toContain("differs");
    expect(dialog().querySelector('[data-fact="head"]')?.className).toBe("");
  });

  it("lists the exact calls in order, and tells read, skipped and sent apart", async () => {
    open(mockHost({ archive: 2 }));
    const calls = await within(await screen.findByRole("dialog")).findAllByRole("listitem");
    expect(calls.map((call) => call.className)).toEqual(["", "skp", "send", "", "", "send", ""]);
    expect(calls[2]?.textContent).toContain("/merge_requests/1847/approve as reviewer-b");
    expect(calls[3]?.textContent).toContain("read back");
    expect(calls[5]?.textContent).toContain("if allowed");
    expect(dialog().textContent).toContain("at most 2 writes, 1 skipped, 4 reads");
  });

  it("says what is not known when a remote gave nothing, and claims no difference", async () => {
    const host = hostWith({
      "/actions": async (reply) => {
        const answer = await reply();
        const body = answer.body as Actions;
        return {
          ...answer,
          body: {
            ...body,
            remote: { ...body.remote, mr_state: null, head_sha: null, silent: ["GitLab did not answer in 10 s"] },
          },
        };
      },
    });
    open(host);
    const row = await waitFor(() => {
      const found = dialog().querySelector('[data-fact="mr"]');
      if (!found) throw new Error("not yet");
      return found;
    });
    expect(row.textContent).toContain("not read");
    expect(row.textContent).not.toContain("differs");
    expect(dialog().textContent).toContain("No answer: GitLab did not answer in 10 s");
  });

  it("cannot be pressed without a reading", async () => {
    const host = hostWith({ "/actions": () => Promise.reject(new HostError("connection refused")) });
    open(host);
    expect((await within(dialog()).findByRole("alert")).textContent).toContain("connection refused");
    expect(pressButton()).toHaveProperty("disabled", true);
    expect(dialog().textContent).toContain("without a plan nothing is sent");
  });

  it("keeps an illegal action disabled, with the engine's own words", async () => {
    const host = mockHost({ archive: 2 });
    const operation = host.operations.find((one) => one.step.code === 10105);
    open(host, "retry-approval", operation);
    expect(await within(dialog()).findByText(/retry-approval is not a move from 10105/)).toBeTruthy();
    expect(pressButton()).toHaveProperty("disabled", true);
  });
});

describe("pressing", () => {
  it("sends the version the plan was made for, and the comment, on Ctrl+Enter", async () => {
    const user = userEvent.setup();
    const host = mockHost({ archive: 2 });
    const { operation } = open(host);
    await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
    await user.type(within(dialog()).getByRole("textbox"), "token renewed");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(lights()[0]).toBe(true));
    const post = host.calls.find((call) => call.method === "POST");
    expect(post?.path).toBe(`/api/v1/operations/${operation.operation_id}/actions/retry-approval`);
    expect(post?.body).toEqual({ expected_version: operation.version, comment: "token renewed" });
  });

  it("lights accepted, sent and observed one by one, each only when it has been read", async () => {
    const user = userEvent.setup();
    const later: { calls: CallItem[]; history: HistoryItem[] } = { calls: [], history: [] };
    const host = hostWith({
      "/calls": async (reply) => withMore(await reply(), later.calls),
      "/history": async (reply) => withMore(await reply(), later.history),
    });
    const { operation } = open(host);
    const history = sampleHistory(operation);
    const calls = sampleCalls(operation, history);
    await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
    await user.click(pressButton());
    await waitFor(() => expect(lights()).toEqual([true, false, false]));

    const last = history.at(-1);
    const sample = calls.find((call) => call.account === "reviewer-b");
    if (!last || !sample) throw new Error("no samples");
    const press = {
      ...last,

      seq: 16,
      event: "retry_approval",
      actor: { kind: "operator" as const, name: "ops-1" },
    };
    later.history = [press];
    later.calls = [{ ...sample, id: 900, http_status: 201, error_class: null, history_seq: null }];
    await waitFor(() => expect(lights()).toEqual([true, true, false]), { timeout: 4000 });
    expect(dialog().textContent).toContain("sent: POST approve, 201");

    later.history = [
      press,
      {
        ...last,

        seq: 17,
        event: "approved",
        from: last.from,
        to: { step: { code: 10102, name: "HANDLE_APPROVED" }, status: "MERGING" },
      },
    ];
    await waitFor(() => expect(lights()).toEqual([true, true, true]), { timeout: 4000 });
    expect(dialog().textContent).toContain("observed: approved, now 10102");
  });

  it.each(["/history", "/calls"])(
    "takes no old line for an answer where %s was not read before the press",
    async (part) => {
      let reads = 0;
      const failed = { status: 500, body: { type: "about:blank", title: "store" } };
      open(hostWith({ [part]: (reply) => (reads++ === 0 ? failed : reply()) }));
      await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
      await userEvent.setup().click(pressButton());
      await waitFor(() => expect(lights()[0]).toBe(true));
      await waitFor(() => expect(reads).toBeGreaterThan(3), { timeout: 4000 });
      expect(lights()).toEqual([true, false, false]);
    },
  );

  it("sends the press also where the history cannot be read, and says that it cannot tell what is new", async () => {
    const failed = { status: 500, body: { type: "about:blank", title: "store" } };
    let broken = true;
    const host = hostWith({ "/history": (reply) => (broken ? failed : reply()) });
    open(host);
    await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
    await userEvent.setup().click(pressButton());
    await waitFor(() => expect(lights()[0]).toBe(true));
    broken = false;
    expect(dialog().textContent).toContain("what is new in it cannot be told here");
    expect(host.calls.filter((call) => call.method === "POST")).toHaveLength(1);
    await waitFor(() => expect(host.calls.some((call) => call.path.endsWith("/history"))).toBe(true), {
      timeout: 4000,
    });
    expect(lights()).toEqual([true, false, false]);
  });

  it("does not act on a stale version: it says who did what, and reads again", async () => {
    const user = userEvent.setup();
    let readings = 0;
    const at = "2026-11-30T06:14:00Z";
    const host = hostWith({
      "/actions": (reply) => {
        readings++;
        return reply();
      },
      "/actions/retry-approval": () => ({
        status: 409,
        body: {
          type: "https://signalbox.dev/problems/stale",
          title: "stale",
          status: 409,
          version: 8,
          last_change: { at, actor: { kind: "operator", name: "ops-2" }, event: "resume" },
        },
      }),
    });
    open(host);
    await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
    const before = readings;
    await user.click(pressButton());
    const words = await within(dialog()).findByRole("alert");
    expect(words.textContent).toContain("ops-2 was first: resume at");
    expect(words.textContent).toContain("version 8");
    expect(lights()).toEqual([false, false, false]);
    await waitFor(() => expect(readings).toBeGreaterThan(before));
  });

  it("claims nothing when the engine did not answer", async () => {
    const user = userEvent.setup();
    const host = hostWith({ "/actions/retry-approval": () => Promise.reject(new HostError("broken pipe")) });
    open(host);
    await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
    await user.click(pressButton());
    expect((await within(dialog()).findByRole("alert")).textContent).toContain("Whether it was accepted is not known");
    expect(lights()).toEqual([false, false, false]);
  });

  it("sends one press, however often it is pressed at once", async () => {
    const host = mockHost({ archive: 2 });
    open(host);
    await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
    act(() => {
      pressButton().click();
      pressButton().click();
    });
    await waitFor(() => expect(lights()[0]).toBe(true));
    expect(host.calls.filter((call) => call.method === "POST")).toHaveLength(1);
  });

  it("closes on Escape", async () => {
    const user = userEvent.setup();
    const { onClose } = open(mockHost({ archive: 2 }));
    await waitFor(() => expect(pressButton()).toHaveProperty("disabled", false));
    await user.click(within(dialog()).getByRole("textbox"));
    await user.keyboard("{Escape}");
    expect(onClose).toHaveBeenCalled();
  });
});

function withMore(reply: Reply, more: unknown[]): Reply {
  const { items } = reply.body as { items: unknown[] };
  return { ...reply, body: { items: [...items, ...more] } };
}

describe("the sample plan", () => {
  it("has a consequence for every legal action", () => {
    const operation = failedRequest(mockHost({ archive: 2 }));
    for (const item of sampleActions(operation).actions)
      expect(item.allowed ? item.consequence : item.reason).toBeTruthy();
  });
});
