import { useTranslation } from "react-i18next";
import { useDrySweep, useSweep } from "../../api/settings";
import type { Sweep } from "../../api/types";
import { ErrorNote, Loading } from "../../parts/Notes";
import { momentText } from "../../parts/time";
import { SweepTable } from "./SweepTable";

/** Merged requests that wait for the deploy: what one sweep would move, by which evidence, and the run itself. */
export function ReconcilePage() {
  const { t } = useTranslation("reconcile");
  const dry = useDrySweep();
  const run = useSweep();
  const canRun = (dry.data?.advanced.length ?? 0) > 0;
  return (
    <>
      <div className="views">
        <h1>{t("title")}</h1>
        <span className="end" />
        <button type="button" className="btn" disabled={dry.isFetching} onClick={() => void dry.refetch()}>
          {t("again")}
        </button>
        <button type="button" className="btn pri" disabled={!canRun || run.isPending} onClick={() => run.mutate()}>
          {run.isPending ? t("running") : t("run")}
        </button>
      </div>
      <div className="page-body">
        <p className="page-why">{t("why")}</p>
        {run.error && <ErrorNote error={run.error} />}
        {run.data && <Done sweep={run.data} />}
        {dry.isPending && <Loading what={t("reading")} />}
        {dry.error && <ErrorNote error={dry.error} again={() => void dry.refetch()} />}
        {dry.data && <Would sweep={dry.data} readAt={dry.data.readAt} />}
      </div>
    </>
  );
}

function Would({ sweep, readAt }: { sweep: Sweep; readAt: string }) {
  const { t } = useTranslation("reconcile");
  const count = sweep.advanced.length;
  return (
    <section className="part" aria-labelledby="would">
      <div className="part-h">
        <h2 id="would">{count === 0 ? t("nothing") : t("wouldMove", { count })}</h2>
        <p className="why">
          {count === 0 ? t("nothingWhy", { count: sweep.scanned }) : t("scanned", { n: sweep.scanned })}
        </p>
        <p className="why end">{t("at", { moment: momentText(readAt) })}</p>
      </div>
      <SweepTable sweep={sweep} moved={false} />
    </section>
  );
}

function Done({ sweep }: { sweep: Sweep }) {
  const { t } = useTranslation("reconcile");
  const count = sweep.advanced.length;
  return (
    <section className="part" aria-live="polite" aria-labelledby="done">
      <div className="part-h">
        <h2 id="done">{count === 0 ? t("movedNone") : t("moved", { count })}</h2>
        <p className="why">{t("scanned", { n: sweep.scanned })}</p>
      </div>
      {count > 0 && <SweepTable sweep={{ ...sweep, waiting: [] }} moved />}
    </section>
  );
}
