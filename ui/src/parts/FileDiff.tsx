import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { FileChange } from "../api/types";
import { Loading } from "./Notes";
import { UnifiedDiff } from "./UnifiedDiff";
import { parseUnified } from "./unified";

const SideBySide = lazy(() => import("./SideBySide").then((m) => ({ default: m.SideBySide })));

export type DiffView = "unified" | "side";

/** One file as it would be, or was, written: path, size of the difference, and the difference in the chosen view. */
export function FileDiff({ file, view }: { file: FileChange; view: DiffView }) {
  const { t } = useTranslation("parts");
  const lines = parseUnified(file.diff);
  const added = lines.filter((line) => line.sign === "+").length;
  const removed = lines.filter((line) => line.sign === "-").length;
  return (
    <section className="diff" aria-label={file.path}>
      <header>
        <span className="mono clip" title={file.path}>
          {file.path}
        </span>
        {file.before === null && <span className="tag acc">{t("diff.new")}</span>}
        {file.after === null && <span className="tag bad">{t("diff.deleted")}</span>}
        <span className="end add-n">{`+${added}`}</span>
        <span className="del-n">{`\u2212${removed}`}</span>
      </header>
      {view === "side" && file.before !== null && file.after !== null ? (
        <Suspense fallback={<Loading what={file.path} />}>
          <SideBySide path={file.path} before={file.before} after={file.after} />
        </Suspense>
      ) : lines.length === 0 ? (
        <p className="diff-none">{t("diff.same")}</p>
      ) : (
        <UnifiedDiff diff={file.diff} />
      )}
    </section>
  );
}

/** The switch between the two views of a difference. */
export function DiffViewSwitch({ view, onChange }: { view: DiffView; onChange: (view: DiffView) => void }) {
  const { t } = useTranslation("parts");
  return (
    <fieldset className="seg" aria-label={t("diff.view")}>
      {(["unified", "side"] as const).map((each) => (
        <button
          key={each}
          type="button"
          className={each === view ? "on" : ""}
          aria-pressed={each === view}
          onClick={() => onChange(each)}
        >
          {t(`diff.${each}`)}
        </button>
      ))}
    </fieldset>
  );
}
