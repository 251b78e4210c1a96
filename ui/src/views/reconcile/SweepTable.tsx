import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useOperation } from "../../api/hooks";
import type { Sweep } from "../../api/types";

interface RowProps {
  operationId: string;
  iid: number;
  evidence: string;
  fate: "advance" | "advanced" | "wait";
}

function Row({ operationId, iid, evidence, fate }: RowProps) {
  const { t } = useTranslation("reconcile");
  const operation = useOperation(operationId).data;
  return (
    <tr>
      <td>
        <Link href={`/requests/${encodeURIComponent(operationId)}`}>
          {operation ? operation.subject_id : operationId}
        </Link>
        <span className="muted target">
          {operation?.target_key} <span className="mono">{`!${iid}`}</span>
        </span>
      </td>
      <td className="mono">{operation?.status}</td>
      <td>
        <span className={`tag ${fate === "wait" ? "" : "ok"}`}>{t(fate)}</span>
      </td>
      <td className={fate === "wait" ? "muted" : "mono"}>{evidence}</td>
    </tr>
  );
}

/** Requests of one sweep: those that move, with their evidence, then those that wait; and how far each project has come. */
export function SweepTable({ sweep, moved }: { sweep: Sweep; moved: boolean }) {
  const { t } = useTranslation("reconcile");
  const missing = (iid: number, highest: number | undefined) =>
    highest === undefined
      ? t("noEvidenceAtAll")
      : t("noEvidence", { mr: `!${iid}`, highest: t("highestIs", { iid: `!${highest}` }) });
  const projects = Object.entries(sweep.highest_mr_iid);
  return (
    <>
      {sweep.advanced.length + sweep.waiting.length > 0 && (
        <div className="card">
          <table className="plain">
            <thead>
              <tr>
                <th scope="col">{t("request")}</th>
                <th scope="col">{t("state")}</th>
                <th scope="col">{t("dry")}</th>
                <th scope="col">{t("evidence")}</th>
              </tr>
            </thead>
            <tbody>
              {sweep.advanced.map(({ operation_id, mr_iid, evidence }) => (
                <Row
                  key={operation_id}
                  operationId={operation_id}
                  iid={mr_iid}
                  evidence={evidence}
                  fate={moved ? "advanced" : "advance"}
                />
              ))}
              {sweep.waiting.map(({ operation_id, mr_iid, project }) => (
                <Row
                  key={operation_id}
                  operationId={operation_id}
                  iid={mr_iid}
                  evidence={missing(mr_iid, sweep.highest_mr_iid[project])}
                  fate="wait"
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!moved && projects.length > 0 && (
        <div className="card">
          <table className="plain">
            <caption>{t("highest")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("project")}</th>
                <th scope="col">{t("iid")}</th>
              </tr>
            </thead>
            <tbody>
              {projects.map(([project, iid]) => (
                <tr key={project}>
                  <td className="mono">{project}</td>
                  <td className="mono">{`!${iid}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
