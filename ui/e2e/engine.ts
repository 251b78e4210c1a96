import type { HistoryItem, Operation, Submitted } from "../src/api/types";

const WAIT_MS = 40_000;

/** The engine's API, for what a story needs done beforehand and not on the page. */
export class Engine {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  async submit(kind: string, fields: { [key: string]: unknown }, comment?: string): Promise<string> {
    const made = (await this.call("POST", "/changes", { kind, fields, comment })) as Submitted;
    return made.operation_id;
  }

  quota(service: string, region: string, resource: string, limit: number): Promise<string> {
    return this.submit("service-quota", { service, region, resource, limit });
  }

  async operation(id: string): Promise<Operation> {
    return (await this.call("GET", `/operations/${id}`)) as Operation;
  }

  async history(id: string): Promise<HistoryItem[]> {
    return ((await this.call("GET", `/operations/${id}/history`)) as { items: HistoryItem[] }).items;
  }

  async act(id: string, action: string, comment?: string): Promise<void> {
    const { version } = await this.operation(id);
    await this.call("POST", `/operations/${id}/actions/${action}`, { expected_version: version, comment });
  }

  /** Waits until a request stands in one of these steps. */
  async reaches(id: string, ...codes: number[]): Promise<Operation> {
    const until = Date.now() + WAIT_MS;
    let seen = "";
    while (Date.now() < until) {
      const operation = await this.operation(id);
      if (codes.includes(operation.step.code)) return operation;
      seen = `${operation.step.code} ${operation.sentence}`;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`${id} did not reach ${codes.join(" or ")}; it stands at ${seen}`);
  }

  private async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`The engine refuses ${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
}
