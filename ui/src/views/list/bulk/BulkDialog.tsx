import { Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../parts/Icon";
import { Outcomes } from "./Outcomes";
import { type BulkPhase, useBulk } from "./useBulk";
import { Verdicts } from "./Verdicts";

export const BULK_ACTIONS = ["resume", "retry-approval", "reconcile", "close"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

interface Props {
  action: BulkAction;
  ids: readonly string[];
  onClose: () => void;
}

/** One action on the selected requests: who is eligible and why not, then one first, then the rest. */
export function BulkDialog({ action, ids, onClose }: Props) {
  const { t } = useTranslation("list");
  const bulk = useBulk(ids, action, t("bulk.noReason"));
  const name = t(`action.${action}`);
  const running = bulk.phase === "running";
  return (
    <Modal.Root opened onClose={running ? () => {} : onClose} size={860} padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={t("bulk.title", { action: name, count: ids.length })}>
        <div className="bulk">
          <div className="bulk-h">
            <h2>{t("bulk.title", { action: name, count: ids.length })}</h2>
            <span className="end" />
            <button
              type="button"
              className="btn ghost icon"
              aria-label={t("bulk.close")}
              disabled={running}
              onClick={onClose}
            >
              <Icon name="x" />
            </button>
          </div>
          <div className="bulk-b">
            {bulk.phase === "asking" && (
              <p role="status">{t("bulk.asking", { n: bulk.sorted.length, total: ids.length })}</p>
            )}
            {bulk.outcomes.length === 0 && <Verdicts sorted={bulk.sorted} />}
            {bulk.outcomes.length > 0 && <Outcomes outcomes={bulk.outcomes} action={name} left={bulk.left.length} />}
          </div>
          <div className="bulk-f">
            <State
              phase={bulk.phase}
              fault={bulk.fault}
              allowed={bulk.allowed.length}
              started={bulk.outcomes.length > 0}
            />
            <span className="end" />
            <Buttons bulk={bulk} onClose={onClose} />
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

interface StateProps {
  phase: BulkPhase;
  fault: string | null;
  allowed: number;
  started: boolean;
}

function State({ phase, fault, allowed, started }: StateProps) {
  const { t } = useTranslation("list");
  function words(): string {
    if (phase === "asking") return "";
    if (phase === "running") return t("bulk.running");
    if (phase === "done" && started) return t("bulk.done");
    if (fault) return t("bulk.stopped", { fault });
    if (started) return t("bulk.readBack");
    return allowed === 0 ? t("bulk.none") : t("bulk.firstWhy");
  }
  return (
    <p className="soft" role="status">
      {words()}
    </p>
  );
}

function Buttons({ bulk, onClose }: { bulk: ReturnType<typeof useBulk>; onClose: () => void }) {
  const { t } = useTranslation("list");
  const { phase, left, outcomes } = bulk;
  if (phase === "running") {
    return (
      <button type="button" className="btn big" onClick={bulk.pause}>
        {t("bulk.pause")}
      </button>
    );
  }
  if (phase === "done" || (phase === "ready" && left.length === 0)) {
    return (
      <button type="button" className="btn pri big" onClick={onClose}>
        {t("bulk.close")}
      </button>
    );
  }
  const first = outcomes.length === 0;
  return (
    <button
      type="button"
      className="btn pri big"
      disabled={phase === "asking"}
      onClick={first ? bulk.runFirst : bulk.runRest}
    >
      {first ? t("bulk.runFirst") : t("bulk.runRest", { count: left.length })}
    </button>
  );
}
