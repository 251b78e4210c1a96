import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTimedText } from "./clock";

const NOW = Date.parse("2026-11-30T14:00:00Z");
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

let made = 0;

function Age({ since, overAt }: { since: number; overAt?: number }) {
  const moments = overAt === undefined ? [since] : [since, overAt];
  const text = useTimedText(
    (now) => {
      made += 1;
      return `${Math.floor((now - since) / 1000)} s${overAt !== undefined && now >= overAt ? ", over" : ""}`;
    },
    ...moments,
  );
  return <p>{text}</p>;
}

const read = () => screen.getByText(/ s/).textContent;

beforeEach(() => {
  made = 0;
  vi.useFakeTimers();
  vi.setSystemTime(NOW);
});
afterEach(() => {
  vi.useRealTimers();
});

it("counts the seconds of a young moment", () => {
  render(<Age since={NOW - 3000} />);
  pass(2000);
  expect(read()).toBe("5 s");
});

it("makes the text of an old moment again only when its minute is over", () => {
  render(<Age since={NOW - 5 * 60_000 - 1} />);
  const before = made;
  pass(59_000);
  expect(made).toBe(before);
  pass(1000);
  expect(made).toBeGreaterThan(before);
  expect(read()).toBe("360 s");
});

it("tells to the second that a limit has passed, however old the beginning is", () => {
  render(<Age since={NOW - 3_600_500} overAt={NOW + 10_000} />);
  pass(9000);
  expect(read()).not.toContain("over");
  pass(2000);
  expect(read()).toContain("over");
});

it("catches up when a window that was hidden is seen again", () => {
  render(<Age since={NOW} />);
  const seen = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  pass(30_000);
  expect(read()).toBe("0 s");
  seen.mockReturnValue("visible");
  pass(1000);
  expect(read()).toBe("31 s");
});
