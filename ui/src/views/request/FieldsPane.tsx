import { useTranslation } from "react-i18next";
import type { DiffItem, Fields, Json, Operation } from "../../api/types";
import { fullMomentText } from "../../parts/time";
import { type Read, WhenRead } from "../../parts/WhenRead";
import { clockOf } from "./clock";
import { Value } from "./Value";

/** Leaves of the fields with their dotted paths; an empty map or list is a leaf itself. */
function leavesOf(fields: Fields, prefix = ""): [string, Json][] {
  return Object.entries(fields).flatMap(([name, value]): [string, Json][] => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const isMap = value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0;
    return isMap ? leavesOf(value as Fields, path) : [[path, value]];
  });
}

/** The fields as they are now, and every edit of them: from, to, who, when and why. */
export function FieldsPane({ operation, diffs }: { operation: Operation; diffs: Read<DiffItem[]> }) {
  const { t } = useTranslation("request");
  const edits = (diffs.data ?? []).filter((diff) => diff.kind === "field");
  const edited = new Set(edits.flatMap((edit) => edit.changes.map((change) => change.path)));
  const leaves = leavesOf(operation.fields);
  return (
    <>
      {leaves.length === 0 ? (
        <p className="muted">{t("fields.none")}</p>
      ) : (
        <table className="tb">
          <thead>
            <tr>
              <th>{t("fields.field")}</th>
              <th>{t("fields.now")}</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {leaves.map(([path, value]) => (
              <tr key={path}>
                <td className="mono">{path}</td>
                <td className="mono">
                  <Value value={value} />
                </td>
                <td className="num">{edited.has(path) && <span className="tag acc">{t("fields.changed")}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="lbl gap">{t("fields.edits")}</div>
      <WhenRead read={diffs} what={t("fields.what")}>
        {() => <Edits edits={edits} />}
      </WhenRead>
    </>
  );
}

function Edits({ edits }: { edits: readonly DiffItem[] }) {
  const { t } = useTranslation("request");
  if (edits.length === 0) return <p className="muted">{t("fields.noEdits")}</p>;
  return (
    <table className="tb">
      <thead>
        <tr>
          <th>{t("fields.when")}</th>
          <th>{t("fields.path")}</th>
          <th>{t("fields.change")}</th>
          <th>{t("fields.why")}</th>
        </tr>
      </thead>
      <tbody>
        {[...edits].reverse().map((edit) => (
          <Edit key={edit.seq} edit={edit} />
        ))}
      </tbody>
    </table>
  );
}

function Edit({ edit }: { edit: DiffItem }) {
  return edit.changes.map((change, index) => (
    <tr key={change.pointer}>
      <td className="nowrap" title={fullMomentText(edit.at)}>
        {index === 0 && `${clockOf(edit.at)} ${edit.actor.name}`}
      </td>
      <td className="mono" title={change.pointer}>
        {change.path}
      </td>
      <td className="mono change">
        <Value value={change.op === "add" ? undefined : change.from} tone="from" />
        {" \u2192 "}
        <Value value={change.op === "remove" ? undefined : change.to} tone="to" />
      </td>
      <td>{index === 0 && edit.comment}</td>
    </tr>
  ));
}
