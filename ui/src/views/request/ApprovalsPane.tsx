import { useTranslation } from "react-i18next";
import type { Actions, CallItem, HistoryItem, Operation } from "../../api/types";
import { decisionOf, type RobotApproval, robotApprovals, shortHead } from "./approvals";
import { clockOf } from "./clock";

interface Props {
  operation: Operation;
  history: readonly HistoryItem[];
  calls: readonly CallItem[];
  actions: Actions | undefined;
}

/** The ticket and its decision, the robots' approvals on the current head, and what a rebase does to each. */
export function ApprovalsPane({ operation, history, calls, actions }: Props) {
  const { t } = useTranslation("request");
  const robots = robotApprovals(calls, actions);
  const sha = shortHead(operation, actions);
  const { ticket } = operation;
  if (!ticket && robots.length === 0) return <p className="muted">{t("approvals.none")}</p>;
  return (
    <table className="tb">
      <thead>
        <tr>
          <th>{t("approvals.approval")}</th>
          <th>{sha ? t("approvals.onHead", { sha }) : t("approvals.noHead")}</th>
          <th>{t("approvals.afterRebase")}</th>
        </tr>
      </thead>
      <tbody>
        {robots.map((robot) => (
          <tr key={robot.name}>
            <td>{t("approvals.robot", { name: robot.name })}</td>
            <td>
              <Robot robot={robot} />
            </td>
            <td className="soft">{robot.sort === "missing" ? "\u2013" : t("approvals.read")}</td>
          </tr>
        ))}
        {ticket && <Ticket id={ticket.id} history={history} actions={actions} />}
      </tbody>
    </table>
  );
}

function Robot({ robot }: { robot: RobotApproval }) {
  const { t } = useTranslation("request");
  const { sort, status, at } = robot;
  if (sort === "listed") {
    return <span className="tag ok">{at ? t("approvals.seen", { clock: clockOf(at) }) : t("approvals.seenNow")}</span>;
  }
  if (sort === "answered" && at) {
    return <span className="tag unk">{t("approvals.answered", { status, clock: clockOf(at) })}</span>;
  }
  return (
    <span className="tag bad">
      {status === null ? t("approvals.missing") : t("approvals.missingStatus", { status })}
    </span>
  );
}

function Ticket({
  id,
  history,
  actions,
}: {
  id: string;
  history: readonly HistoryItem[];
  actions: Actions | undefined;
}) {
  const { t } = useTranslation("request");
  const decision = decisionOf(history);
  const raw = actions?.remote.ticket?.state ?? null;
  const known = (state: string) => t(`ticketState.${state as "approved"}`, { defaultValue: state });
  const decided = {
    approval_granted: "approved",
    approval_denied: "rejected",
    approval_withdrawn: "withdrawn",
  } as const;
  const state = decision ? decided[decision.event as keyof typeof decided] : (raw ?? "pending");
  return (
    <tr>
      <td className="mono">{id}</td>
      <td>
        {decision
          ? t("approvals.ticketBy", { state: known(state), clock: clockOf(decision.at), actor: decision.actor.name })
          : known(state)}
        {decision?.reason && <span className="proof">{decision.reason}</span>}
      </td>
      <td className="soft">{t("approvals.kept")}</td>
    </tr>
  );
}
