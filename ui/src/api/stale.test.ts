import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { makeStale } from "./stale";

const key = ["operation", "1", "actions"];

/** A read that is answered when the test says so, with how often it was made. */
function slowRead() {
  const answers: ((value: number) => void)[] = [];
  const read = vi.fn(() => new Promise<number>((resolve) => answers.push(resolve)));
  return { read, answer: (value: number) => answers.shift()?.(value) };
}

function watched() {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const { read, answer } = slowRead();
  const observer = new QueryObserver(client, { queryKey: key, queryFn: read });
  const leave = observer.subscribe(() => {});
  return { client, read, answer, observer, leave };
}

describe("a change during a read", () => {
  it("makes a first read once more when it has ended, and no more often", async () => {
    const { client, read, answer, observer } = watched();
    for (let change = 0; change < 3; change += 1) makeStale(client, { queryKey: key });
    answer(1);
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
    answer(2);
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(2));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(read).toHaveBeenCalledTimes(2);
    expect(client.isFetching()).toBe(0);
  });

  it("makes a read that failed once more", async () => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const read = vi.fn().mockRejectedValueOnce(new Error("gone")).mockResolvedValue(2);
    const observer = new QueryObserver(client, { queryKey: key, queryFn: read });
    observer.subscribe(() => {});
    makeStale(client, { queryKey: key });
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(2));
  });

  it("leaves what nobody watches any more stale", async () => {
    const { client, read, answer, leave } = watched();
    answer(1);
    await vi.waitFor(() => expect(client.getQueryData(key)).toBe(1));
    makeStale(client, { queryKey: key });
    leave();
    makeStale(client, { queryKey: key });
    answer(2);
    await vi.waitFor(() => expect(client.getQueryData(key)).toBe(2));
    expect(client.getQueryState(key)?.isInvalidated).toBe(true);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
