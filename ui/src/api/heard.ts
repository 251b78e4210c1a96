const REMEMBERED = 5000;

/** What the stream has told so far. It is one object while the window is open, so that a read asks it as it stands. */
export class Heard {
  readonly #changedAt = new Map<string, number>();
  /** When the last commit was heard, in milliseconds of this machine's clock. */
  lastAt = 0;
  /** Everything that was read before this moment may have changed unheard. */
  allAt = 0;

  constructor(readonly remembered = REMEMBERED) {}

  /** These requests have changed. */
  hear(operationIds: Iterable<string>, now: number): void {
    this.lastAt = now;
    for (const operationId of operationIds) {
      this.#changedAt.delete(operationId);
      this.#changedAt.set(operationId, now);
    }
    this.#forget();
  }

  /** Nothing is known of what happened before now. */
  miss(now: number): void {
    this.allAt = now;
    this.#changedAt.clear();
  }

  /** When a request was last heard of, or may have changed unheard: what was read of it before is stale. */
  changedAt(operationId: string): number {
    return Math.max(this.#changedAt.get(operationId) ?? 0, this.allAt);
  }

  #forget(): void {
    for (const [oldest, at] of this.#changedAt) {
      if (this.#changedAt.size <= this.remembered) break;
      this.#changedAt.delete(oldest);
      // Whichever it was, it may have changed as late as this.
      this.allAt = Math.max(this.allAt, at);
    }
  }
}
