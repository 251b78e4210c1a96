import { useTranslation } from "react-i18next";
import type { Operation } from "../../../api/types";
import { byReason, type Sorted } from "./sort";

function Names({ operations }: { operations: readonly Operation[] }) {
  const { t } = useTranslation("form");
  return (
    <ul className="bulk-names">
      {operations.map((operation) => (
        <li key={operation.operation_id} className="clip">
          {t("preview.pair", { subject: operation.subject_id, target: operation.target_key })}
        </li>
      ))}
    </ul>
  );
}

/** Three groups: what would be written for, what would make no call that writes, and what is refused, with the reason. */
export function Verdicts({ sorted }: { sorted: readonly Sorted[] }) {
  const { t } = useTranslation("list");
  const of = (is: Sorted["verdict"]["is"]) => sorted.filter((one) => one.verdict.is === is).map((one) => one.operation);
  const eligible = of("eligible");
  const quiet = of("quiet");
  const writes = sorted.reduce((sum, { verdict }) => sum + (verdict.is === "eligible" ? verdict.writes : 0), 0);
  return (
    <>
      {eligible.length > 0 && (
        <section>
          <h3>{t("bulk.eligible", { count: eligible.length })}</h3>
          <p className="why">{t("bulk.writes", { count: writes })}</p>
          <Names operations={eligible} />
        </section>
      )}
      {quiet.length > 0 && (
        <section>
          <h3>{t("bulk.quiet", { count: quiet.length })}</h3>
          <Names operations={quiet} />
        </section>
      )}
      {byReason(sorted).map(({ reason, operations }) => (
        <section key={reason}>
          <h3>{t("bulk.refused", { count: operations.length })}</h3>
          <p className="why">{reason}</p>
          <Names operations={operations} />
        </section>
      ))}
    </>
  );
}
