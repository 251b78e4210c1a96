import type { Host, Method } from "../host/host";
import type { Problem } from "./types";

/** The engine answered, and refused: its problem document. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }
  /** The last part of the problem's type, such as `in-progress`. */
  get code(): string {
    return this.problem.type.split("/").pop() ?? "";
  }
}

/** Query parameters; an empty or absent value is left out. */
export type Query = Record<string, string | number | boolean | null | undefined>;

/** A path under `/api/v1`, with its query. Parts of the path must be encoded by the caller. */
export function apiPath(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(key, String(value));
  }
  const tail = params.toString();
  return `/api/v1${path}${tail === "" ? "" : `?${tail}`}`;
}

/** Sends one call and returns its body; throws `ProblemError` when the engine refuses, `HostError` when it is not reached. */
export async function send<T>(host: Host, method: Method, path: string, body?: unknown): Promise<T> {
  const reply = await host.call(method, path, body);
  if (reply.status >= 200 && reply.status < 300) return reply.body as T;
  throw new ProblemError(asProblem(reply.status, reply.body));
}

/** The problem document of an answer that refuses. */
export function asProblem(status: number, body: unknown): Problem {
  if (body !== null && typeof body === "object" && "title" in body) {
    return { type: "about:blank", status, ...(body as Partial<Problem>) } as Problem;
  }
  return {
    type: "about:blank",
    title: `HTTP ${status}`,
    status,
    detail: typeof body === "string" ? body : undefined,
  };
}
