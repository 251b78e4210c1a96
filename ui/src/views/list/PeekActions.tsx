import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Actions, Operation } from "../../api/types";
import { recommended } from "../request/legal";

const NAMED = ["resume", "retry-approval", "reconcile", "close", "reapply", "submit", "cancel"] as const;
type Named = (typeof NAMED)[number];

const isNamed = (action: string): action is Named => NAMED.some((name) => name === action);

interface Props {
  operation: Operation;
  actions: Actions | undefined;
  error: Error | null;
}

/** What is possible now: a press leads to the request's page, where the consequence is shown before anything is sent. */
export function PeekActions({ operation, actions, error }: Props) {
  const { t } = useTranslation("list");
  const words = (action: string) => (isNamed(action) ? t(`action.${action}`) : action);
  const items = actions?.actions ?? [];
  const href = (action: string) => `/requests/${encodeURIComponent(operation.operation_id)}?action=${action}`;
  const first = recommended(items, operation, false);
  const refused = items.filter((item) => !item.allowed && item.reason);
  return (
    <div className="blk">
      <div className="lbl">{t("peek.possible")}</div>
      {error && !actions && <p className="why">{t("peek.notAsked", { detail: error.message })}</p>}
      {!error && !actions && <p className="why">{t("peek.asking")}</p>}
      {actions && (
        <div className="acts">
          {items.map((item) =>
            item.allowed ? (
              <Link key={item.action} className={`btn${item.action === first ? " pri" : ""}`} href={href(item.action)}>
                {words(item.action)}
              </Link>
            ) : (
              <button key={item.action} type="button" className="btn" disabled title={item.reason ?? undefined}>
                {words(item.action)}
              </button>
            ),
          )}
        </div>
      )}
      {actions && items.length === 0 && <p className="why">{t("peek.nothing")}</p>}
      {refused.map((item) => (
        <p key={item.action} className="why">
          {t("action.why", { action: words(item.action), reason: item.reason ?? "" })}
        </p>
      ))}
    </div>
  );
}
