import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFiles } from "../../api/hooks";
import { type DiffView, DiffViewSwitch, FileDiff } from "../../parts/FileDiff";
import { Empty, ErrorNote, Loading } from "../../parts/Notes";

const KEY = "signalbox.diff-view";

/** The files as they were rendered, against what stood on the target branch. */
export function FilesPane({ operationId }: { operationId: string }) {
  const { t } = useTranslation("request");
  const files = useFiles(operationId);
  const [view, setView] = useState<DiffView>(() => (localStorage.getItem(KEY) === "side" ? "side" : "unified"));
  function choose(next: DiffView) {
    localStorage.setItem(KEY, next);
    setView(next);
  }
  if (files.error && !files.data) return <ErrorNote error={files.error} again={() => void files.refetch()} />;
  if (!files.data) return <Loading what={t("files.what")} />;
  if (files.data.items.length === 0) return <Empty title={t("files.none")}>{t("files.noneWhy")}</Empty>;
  return (
    <>
      <div className="pane-tools">
        <DiffViewSwitch view={view} onChange={choose} />
      </div>
      {files.data.items.map((file) => (
        <FileDiff key={file.path} file={file} view={view} />
      ))}
    </>
  );
}
