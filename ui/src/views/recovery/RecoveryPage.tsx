import "./recovery.css";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../../api/keys";
import { useRecovery } from "../../api/recovery";
import { useKeys } from "../../frame/keys";
import { Empty, ErrorNote, Loading } from "../../parts/Notes";
import { type BulkAction, BulkDialog } from "../list/bulk/BulkDialog";
import { CauseCard } from "./CauseCard";
import { FollowPart } from "./FollowPart";

/** What does not go on by itself: requests by what stopped them, and work that follows from ended ones. */
export function RecoveryPage() {
  const { t } = useTranslation("recovery");
  const recovery = useRecovery();
  const client = useQueryClient();
  const body = useRef<HTMLDivElement>(null);
  // Requests that are set going leave their cause, and a cause without requests leaves the page: the dialog stays, with the
  // requests as they were at the press.
  const [asked, setAsked] = useState<{ action: BulkAction; ids: readonly string[] } | null>(null);
  useRowKeys(body);
  return (
    <>
      <div className="views">
        <h1>{t("title")}</h1>
        <span className="end" />
        <button
          type="button"
          className="btn"
          disabled={recovery.isFetching}
          onClick={() => void recovery.refetch({ cancelRefetch: false })}
        >
          {t("again")}
        </button>
      </div>
      <div className="page-body wide" ref={body}>
        <p className="page-why">{t("why")}</p>
        <section className="part" aria-labelledby="causes">
          <div className="part-h">
            <h2 id="causes">{t("causes")}</h2>
            {recovery.data && recovery.data.requests > 0 && (
              <p className="why">{t("causesSum", { count: recovery.data.requests })}</p>
            )}
          </div>
          {recovery.isPending && <Loading what={t("causesReading")} />}
          {recovery.error && !recovery.data && (
            <ErrorNote error={recovery.error} again={() => void recovery.refetch()} />
          )}
          {recovery.data?.causes.length === 0 && (
            <div className="card">
              <Empty title={t("none")}>
                <p>{t("noneWhy")}</p>
              </Empty>
            </div>
          )}
          {recovery.data && recovery.data.causes.length > 0 && (
            <ul className="card causes">
              {recovery.data.causes.map((cause) => (
                <CauseCard key={cause.key} cause={cause} onAct={(action) => setAsked({ action, ids: cause.ids })} />
              ))}
            </ul>
          )}
          {recovery.data && recovery.data.more_causes > 0 && (
            <p className="why">{t("more", { count: recovery.data.more_causes })}</p>
          )}
        </section>
        <FollowPart />
      </div>
      {asked && (
        <BulkDialog
          action={asked.action}
          ids={asked.ids}
          onClose={() => {
            setAsked(null);
            void client.invalidateQueries({ queryKey: keys.lists });
            void client.invalidateQueries({ queryKey: keys.status });
          }}
        />
      )}
    </>
  );
}

/** J and K go from row to row; each row is one button that has Enter and Space of its own. */
function useRowKeys(body: React.RefObject<HTMLDivElement | null>) {
  function go(by: 1 | -1) {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const here = document.activeElement?.closest("[data-row-of]")?.querySelector<HTMLElement>("[data-row]");
    const at = here ? rows.indexOf(here) : -1;
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by));
    rows[next]?.focus();
  }
  useKeys({ j: () => go(1), k: () => go(-1) });
}
