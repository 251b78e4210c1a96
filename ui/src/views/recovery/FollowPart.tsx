import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFollowUps } from "../../api/recovery";
import { Empty, ErrorNote, Loading } from "../../parts/Notes";
import { FollowDialog } from "./FollowDialog";
import { type Asked, FollowTable } from "./FollowTable";

/** Work that has to follow an ended request: what is open first, what has ended under a switch. */
export function FollowPart() {
  const { t } = useTranslation("recovery");
  const [endedToo, setEndedToo] = useState(false);
  const work = useFollowUps(endedToo);
  // Here and not in the table: what has ended may leave nothing in it, and the dialog still tells what came of it.
  const [asked, setAsked] = useState<Asked | null>(null);
  const ended = work.data?.ended ?? 0;
  return (
    <section className="part" aria-labelledby="following">
      <div className="part-h">
        <h2 id="following">{t("following")}</h2>
        <span className="end" />
        {ended > 0 && (
          <label className="switch">
            <input type="checkbox" checked={endedToo} onChange={(event) => setEndedToo(event.currentTarget.checked)} />
            {t("finished", { count: ended })}
          </label>
        )}
      </div>
      <p className="why">{t("followingWhy")}</p>
      {work.isPending && <Loading what={t("followingReading")} />}
      {work.error && !work.data && <ErrorNote error={work.error} again={() => void work.refetch()} />}
      {work.data && work.data.items.length > 0 && <FollowTable items={work.data.items} onAsk={setAsked} />}
      {work.data?.items.length === 0 && (
        <div className="card">
          <Empty title={t("followNone")}>
            <p>{ended > 0 ? t("followAllDone", { count: ended }) : t("followNoneWhy")}</p>
          </Empty>
        </div>
      )}
      {asked && <FollowDialog {...asked} onClose={() => setAsked(null)} />}
    </section>
  );
}
