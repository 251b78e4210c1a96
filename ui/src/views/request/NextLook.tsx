import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../../api/keys";
import type { Operation } from "../../api/types";
import { useTimedText } from "../../parts/clock";
import { durationText } from "../../parts/time";

/** A look that finds nothing is no commit and not told by the stream; so long after it is due, it is read. */
const AFTER_MS = 400;
/** Brisk ladders are not followed look by look. */
const LEAST_MS = 2000;

/** Where on its ladder a waiting request is: "Look 7 of 120, next look in 22 s.". */
export function NextLook({ operation }: { operation: Operation }) {
  const { t } = useTranslation("request");
  const words = useTranslation("words").t;
  const { waiting, operation_id: id } = operation;
  useFollowedLooks(id, waiting?.next_look_at ?? null);
  const text = useTimedText(
    (now) => {
      if (!waiting) return "";
      const { look, max_looks, next_look_at } = waiting;
      const count = max_looks === null ? null : t("look.of", { look, max: max_looks });
      if (next_look_at === null) return count ?? "";
      const left = Date.parse(next_look_at) - now;
      if (left < 1000) return count === null ? t("look.now") : t("look.ofNow", { count });
      const moment = words("in", { duration: durationText(words, left) });
      return count === null ? t("look.next", { moment }) : t("look.ofNext", { count, moment });
    },
    Date.parse(waiting?.next_look_at ?? ""),
  );
  return text === "" ? null : <span className="looks"> {text}</span>;
}

function useFollowedLooks(operationId: string, due: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (due === null) return;
    const wait = Math.max(LEAST_MS, Date.parse(due) - Date.now() + AFTER_MS);
    const timer = setTimeout(() => {
      if (document.visibilityState === "hidden") return;
      void client.invalidateQueries({ queryKey: keys.operation(operationId) });
    }, wait);
    return () => clearTimeout(timer);
  }, [client, operationId, due]);
}
