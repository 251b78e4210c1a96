import { useTranslation } from "react-i18next";
import type { Fields, Json, Operation } from "../../api/types";

const SHOWN = 8;

/** Leaves of the fields with their dotted paths, in the order they were given. */
export function flattenFields(fields: Fields, prefix = ""): [string, Json][] {
  return Object.entries(fields).flatMap(([name, value]): [string, Json][] => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const isMap = value !== null && typeof value === "object" && !Array.isArray(value);
    return isMap ? flattenFields(value, path) : [[path, value]];
  });
}

/** The first fields that were asked for. */
export function PeekFields({ operation }: { operation: Operation }) {
  const { t } = useTranslation("list");
  const leaves = flattenFields(operation.fields);
  if (leaves.length === 0) return null;
  const rest = leaves.length - SHOWN;
  return (
    <div className="blk last">
      <div className="lbl">{t("peek.fields")}</div>
      <dl className="kv wide">
        {leaves.slice(0, SHOWN).map(([path, value]) => (
          <div key={path}>
            <dt className="mono clip" title={path}>
              {path}
            </dt>
            <dd className="mono">{JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
      {rest > 0 && <p className="why">{t("peek.more", { count: rest })}</p>}
    </div>
  );
}
