import { describe, expect, it, vi } from "vitest";
import type { Change } from "./host";
import { httpHost, takeTokenFromAddress } from "./http";
import { readEvents } from "./sse";

function bodyOf(...pieces: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
}

/** The files that are handed to the browser from now on; the test's document keeps none. */
function keptFiles() {
  const kept: { href: string; download: string }[] = [];
  URL.createObjectURL = () => "blob:kept";
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    kept.push({ href: this.href, download: this.download });
  });
  return kept;
}

describe("server-sent events", () => {
  it("are read however the bytes are cut", async () => {
    const events = [];
    for await (const event of readEvents(
      bodyOf("id: 7\nevent: opera", 'tion\ndata: {"a":1}\n', "\n: beat\n\ndata: x\r\n\r\n"),
    )) {
      events.push(event);
    }
    expect(events).toEqual([
      { id: "7", type: "operation", data: '{"a":1}' },
      { id: "", type: "message", data: "x" },
    ]);
  });
});

describe("the host of a browser", () => {
  it("takes the token out of the address", () => {
    const replaceState = vi.fn();
    const location = { hash: "#token=abc", pathname: "/new", search: "?kind=x" } as Location;
    takeTokenFromAddress(location, { replaceState } as unknown as History, sessionStorage);
    expect(sessionStorage.getItem("signalbox.token")).toBe("abc");
    expect(replaceState).toHaveBeenCalledWith(null, "", "/new?kind=x");
  });

  it("sends the token and the language, and says when the engine is not reached", async () => {
    const fetched = vi.fn().mockResolvedValueOnce(Response.json({ ok: 1 }, { status: 202 }));
    vi.stubGlobal("fetch", fetched);
    const host = httpHost();
    host.signIn?.accept(" abc ");
    host.setLanguage("zh-CN");
    expect(await host.call("POST", "/api/v1/changes", { a: 1 })).toEqual({ status: 202, body: { ok: 1 } });
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({
      body: '{"a":1}',
      headers: { Authorization: "Bearer abc", "Accept-Language": "zh-CN" },
    });
    fetched.mockRejectedValueOnce(new TypeError("refused"));
    await expect(host.call("GET", "/api/v1/status")).rejects.toThrow("refused");
    vi.unstubAllGlobals();
  });

  it("keeps the evidence under the name that the engine gives it, and tells that name", async () => {
    const fetched = vi.fn().mockResolvedValueOnce(
      new Response('{"kind":"bundle"}\n', {
        headers: { "Content-Disposition": 'attachment; filename="signalbox-01A.sealed.jsonl"' },
      }),
    );
    vi.stubGlobal("fetch", fetched);
    const kept = keptFiles();
    const host = httpHost();
    host.signIn?.accept("abc");
    expect(await host.saveEvidence("01A/x")).toBe("signalbox-01A.sealed.jsonl");
    expect(fetched.mock.calls[0]?.[0]).toBe("/api/v1/operations/01A%2Fx/evidence");
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ headers: { Authorization: "Bearer abc" } });
    expect(kept).toEqual([{ href: "blob:kept", download: "signalbox-01A.sealed.jsonl" }]);
    expect(URL.revokeObjectURL).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it("refuses the evidence with the words of the engine", async () => {
    const problem = { type: "about:blank", title: "not-found", status: 404, detail: "No request 01A." };
    vi.stubGlobal("fetch", vi.fn().mockResolvedValueOnce(Response.json(problem, { status: 404 })));
    const kept = keptFiles();
    await expect(httpHost().saveEvidence("01A")).rejects.toThrow("No request 01A.");
    expect(kept).toEqual([]);
    vi.unstubAllGlobals();
  });

  it("goes on with the stream where it broke", async () => {
    const change = {
      operation_id: "01A",
      version: 2,
      step: { code: 10001, name: "CREATE_STARTED" },
      status: "MR_CREATING",
    };
    const fetched = vi
      .fn()
      .mockResolvedValueOnce(new Response(bodyOf(`id: 41\nevent: operation\ndata: ${JSON.stringify(change)}\n\n`)))
      .mockReturnValue(new Promise(() => {}));
    vi.stubGlobal("fetch", fetched);
    const heard: Change[] = [];
    const states: string[] = [];
    const stop = httpHost().changes(
      (each) => heard.push(each),
      (state) => states.push(state),
    );
    await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2), { timeout: 2000 });
    stop();
    expect(heard).toEqual([change]);
    expect(states).toEqual(["connecting", "live", "offline"]);
    expect(fetched.mock.calls[1]?.[1]).toMatchObject({ headers: { "Last-Event-ID": "41" } });
    vi.unstubAllGlobals();
  });
});
