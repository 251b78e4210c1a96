/** A merge request as the panel shows it. */
export interface PanelMr {
  project_id: number;
  project: string;
  iid: number;
  state: string;
  source_branch: string;
  pipeline: { id: number; status: string } | null;
}

interface PanelState {
  switches: { key: string; value: number | boolean | string }[];
  tickets: { approval_id: string; operation_id: string; state: string }[];
  merge_requests: PanelMr[];
}

type Act = "merge" | "close" | "reopen" | "push" | "move-target" | "conflict" | "deploy" | "unapprove";

/** The practice remotes, through their control API: what a person would do at the panel and at the desk. */
export class Remotes {
  constructor(readonly panel: string) {}

  async state(): Promise<PanelState> {
    return (await this.call("GET", "/control/state")) as PanelState;
  }

  /** Sets switches of the panel, such as `pipeline.fail_next`. */
  async set(switches: { [key: string]: number | boolean | string }): Promise<void> {
    await this.call("PATCH", "/control/switches", switches);
  }

  /** Waits until a switch that counts down has been used up. */
  async used(key: string): Promise<void> {
    await this.eventually(`the end of ${key}`, async () =>
      (await this.state()).switches.find((one) => one.key === key && one.value === 0),
    );
  }

  async reset(): Promise<void> {
    await this.call("POST", "/control/reset", {});
  }

  /** Decides the ticket of a request as soon as it is at the desk. */
  async decide(operationId: string, decision: "approve" | "reject" | "withdraw", reason = ""): Promise<void> {
    const ticket = await this.eventually(`a ticket of ${operationId}`, async () =>
      (await this.state()).tickets.find((one) => one.operation_id === operationId && one.state === "pending"),
    );
    await this.call("POST", `/control/tickets/${ticket.approval_id}/${decision}`, { actor: "hanna", reason });
  }

  /** The merge request of a request, once there is one. */
  async mergeRequest(operationId: string): Promise<PanelMr> {
    return this.eventually(`a merge request of ${operationId}`, async () =>
      (await this.state()).merge_requests.find((one) => one.source_branch.includes(operationId)),
    );
  }

  async act(mr: PanelMr, act: Act): Promise<void> {
    await this.call("POST", `/control/merge-requests/${mr.project_id}/${mr.iid}/${act}`, {});
  }

  /** Tells all pipelines that have not ended how to end. */
  async pipelines(word: "pass" | "fail"): Promise<void> {
    await this.call("POST", `/control/pipelines/running/${word}`, {});
  }

  /** Runs every failed pipeline once more. */
  async retryPipelines(): Promise<void> {
    await this.call("POST", "/control/pipelines/failed/retry", {});
  }

  private async eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const until = Date.now() + 15_000;
    while (Date.now() < until) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`There was not ${what} at the practice remotes.`);
  }

  private async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.panel + path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`The practice remotes refuse ${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
}
