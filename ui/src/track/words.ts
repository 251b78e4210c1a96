import type { TFunction } from "i18next";
import { durationText } from "../parts/time";
import type { Words } from "./types";

const two = (n: number) => String(n).padStart(2, "0");

/** The words of the plan in the language of the page. */
export function planWords(t: TFunction<["track", "words"]>): Words {
  return {
    section: (key, fallback) => t(`track:section.${key as "approval"}`, { defaultValue: fallback || key }),
    name: (code, name) => t(`track:step.${code as 10001}`, { defaultValue: plainName(name) }),
    outlook: (outlook) => t(`words:outlook.${outlook}`),
    clock: (at) => {
      const date = new Date(at);
      return `${two(date.getHours())}:${two(date.getMinutes())}`;
    },
    since: (at) => {
      const date = new Date(at);
      return t("track:since", { clock: `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}` });
    },
    span: (ms) => durationText(t as unknown as TFunction<"words">, ms),
    rebases: (count) => t("track:rebases", { count }),
    rebaseNow: (n) => t("track:rebaseNow", { n }),
    cameFrom: (code) => t("track:cameFrom", { code }),
  };
}

/** `HANDLE_MERGE_HELD` without its stage, in small letters: for a step that has no words of its own yet. */
export function plainName(name: string): string {
  return name
    .replace(/^(CREATE|HANDLE|CLOSE|APPROVAL|DEPLOY)_/, "")
    .replaceAll("_", " ")
    .toLowerCase();
}
