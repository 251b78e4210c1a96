import type { TFunction } from "i18next";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in words, two units at most; `ms` is in milliseconds. */
export function durationText(t: TFunction<"words">, ms: number): string {
  const n = Math.max(0, ms);
  if (n < SECOND) return t("duration.ms", { ms: Math.round(n) });
  if (n < MINUTE) return t("duration.s", { s: Math.floor(n / SECOND) });
  if (n < HOUR) return t("duration.min", { m: Math.floor(n / MINUTE) });
  if (n < DAY) {
    const m = String(Math.floor((n % HOUR) / MINUTE)).padStart(2, "0");
    return t("duration.h", { h: Math.floor(n / HOUR), m });
  }
  return t("duration.d", { d: Math.floor(n / DAY), h: Math.floor((n % DAY) / HOUR) });
}

/** How long a remote takes to answer: milliseconds, or tenths of seconds when it is slow. */
export function latencyText(t: TFunction<"words">, ms: number): string {
  return ms < SECOND ? t("duration.ms", { ms: Math.round(ms) }) : t("duration.s", { s: (ms / SECOND).toFixed(1) });
}

/** The zone of this machine at that moment, such as `UTC+8`. */
export function zoneOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  if (minutes === 0) return "UTC";
  const sign = minutes < 0 ? "\u2212" : "+";
  const rest = Math.abs(minutes) % 60;
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `UTC${sign}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

const two = (n: number) => String(n).padStart(2, "0");

/** `14:16:02 UTC+8`, with the date before it when that is not today. */
export function momentText(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${zoneOf(date)}`;
  return date.toDateString() === now.toDateString() ? clock : `${dayText(date)} ${clock}`;
}

/** `2026-11-30 14:16:02 UTC+8`. */
export function fullMomentText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return `${dayText(date)} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${zoneOf(date)}`;
}

function dayText(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
