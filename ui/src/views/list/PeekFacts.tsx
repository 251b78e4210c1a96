import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Actions, Operation } from "../../api/types";
import { useOpenOutside } from "../../host/outside";
import { useTimedText } from "../../parts/clock";
import { Ago, Moment } from "../../parts/Time";
import { durationText } from "../../parts/time";
import { ageMoments, ageOf } from "./age";

const SHORT_SHA = 7;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function AgeHere({ operation }: { operation: Operation }) {
  const { t } = useTranslation("list");
  const words = useTranslation("words").t;
  const text = useTimedText(
    (now) => {
      const age = durationText(words, ageOf(operation, now).ms);
      if (operation.usual_ms === null) return age;
      return t("peek.ageUsual", { age, usual: durationText(words, operation.usual_ms) });
    },
    ...ageMoments(operation),
  );
  return <span>{text}</span>;
}

/** What is known of the request, and of the remotes as they were read a moment ago. */
export function PeekFacts({ operation, actions }: { operation: Operation; actions: Actions | undefined }) {
  const { t } = useTranslation("list");
  const open = useOpenOutside();
  const ticket = operation.ticket;
  const remote = actions?.remote;
  return (
    <div className="blk">
      <dl className="kv">
        <Fact name={t("peek.status")}>
          <span className="mono">{operation.status}</span>
        </Fact>
        <Fact name={t("peek.age")}>
          <AgeHere operation={operation} />
        </Fact>
        {remote?.mr_state && actions && (
          <Fact name={t("peek.remote")}>
            {t("peek.remoteMr", { state: remote.mr_state, sha: remote.head_sha?.slice(0, SHORT_SHA) ?? "" })}{" "}
            <span className="muted">
              <Ago at={actions.observed_at} />
            </span>
          </Fact>
        )}
        {ticket && (
          <Fact name={t("peek.ticket")}>
            {ticket.url ? (
              <button type="button" className="link" onClick={() => open(ticket.url ?? "")}>
                {ticket.id}
              </button>
            ) : (
              ticket.id
            )}
          </Fact>
        )}
        {operation.rebases > 0 && <Fact name={t("peek.rebases")}>{operation.rebases}</Fact>}
        <Fact name={t("peek.requester")}>{operation.requested_by}</Fact>
        <Fact name={t("peek.submitted")}>
          <Moment at={operation.created_at} />
        </Fact>
      </dl>
    </div>
  );
}
