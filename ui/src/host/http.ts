import { apiPath, asProblem, ProblemError } from "../api/client";
import { download, fileNameOf } from "./download";
import type { Change, Host, Link, Method, Reply } from "./host";
import { HostError } from "./host";
import { readEvents } from "./sse";

const KEY = "signalbox.token";
const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 15_000;

/** Takes the token out of `#token=…`, keeps it for this browser session, and clears the address bar. */
export function takeTokenFromAddress(location: Location, history: History, storage: Storage): void {
  const token = new URLSearchParams(location.hash.replace(/^#/, "")).get("token");
  if (!token) return;
  storage.setItem(KEY, token);
  history.replaceState(null, "", location.pathname + location.search);
}

/** The host of a browser: fetch with a bearer token, and the stream read by fetch so that it carries the token too. */
export function httpHost(storage: Storage = sessionStorage): Host {
  let language = "en";
  const headers = (): Record<string, string> => ({
    Authorization: `Bearer ${storage.getItem(KEY) ?? ""}`,
    "Accept-Language": language,
  });

  async function call(method: Method, path: string, body?: unknown): Promise<Reply> {
    const init: RequestInit = { method, headers: headers() };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { ...headers(), "Content-Type": "application/json" };
    }
    const response = await reach(path, init);
    return { status: response.status, body: await bodyOf(response) };
  }

  async function saveEvidence(operationId: string): Promise<string> {
    const path = apiPath(`/operations/${encodeURIComponent(operationId)}/evidence`);
    const response = await reach(path, { headers: headers() });
    if (!response.ok) throw new ProblemError(asProblem(response.status, await bodyOf(response)));
    const name = fileNameOf(response.headers.get("content-disposition")) ?? `signalbox-${operationId}.jsonl`;
    download(await response.blob(), name);
    return name;
  }

  function changes(onChange: (change: Change) => void, onState: (link: Link) => void): () => void {
    const stop = new AbortController();
    void follow(stop.signal, headers, onChange, onState);
    return () => stop.abort();
  }

  return {
    kind: "browser",
    call,
    changes,
    open: async (url) => {
      window.open(url, "_blank", "noopener,noreferrer");
    },
    saveEvidence,
    start: async () => ({ mode: "ready" }),
    startPractice: () => Promise.reject(new HostError("The practice sandbox is started by the desktop app.")),
    signIn: {
      needed: () => !storage.getItem(KEY),
      accept: (token) => storage.setItem(KEY, token.trim()),
      forget: () => storage.removeItem(KEY),
    },
    setLanguage: (next) => {
      language = next;
    },
  };
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    throw new HostError(String(cause));
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return null;
  return /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
}

async function follow(
  signal: AbortSignal,
  headers: () => Record<string, string>,
  onChange: (change: Change) => void,
  onState: (link: Link) => void,
): Promise<void> {
  let last = "";
  let delay = FIRST_DELAY_MS;
  onState("connecting");
  while (!signal.aborted) {
    try {
      const resume: Record<string, string> = last === "" ? {} : { "Last-Event-ID": last };
      const response = await fetch("/api/v1/stream", {
        headers: { ...headers(), ...resume, Accept: "text/event-stream" },
        signal,
      });
      if (!response.ok || !response.body) throw new HostError(`stream: ${response.status}`);
      onState("live");
      delay = FIRST_DELAY_MS;
      for await (const event of readEvents(response.body)) {
        if (event.id !== "") last = event.id;
        if (event.type === "operation") onChange(JSON.parse(event.data) as Change);
      }
    } catch {
      if (signal.aborted) return;
    }
    onState("offline");
    await pause(delay, signal);
    delay = Math.min(delay * 2, LAST_DELAY_MS);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
