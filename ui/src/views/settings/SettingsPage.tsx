import { useTranslation } from "react-i18next";
import { useStatus } from "../../api/hooks";
import { ErrorNote, Loading } from "../../parts/Notes";
import { BackupPart } from "../backup/BackupPart";
import { AboutPart } from "./AboutPart";
import { FlowPart } from "./FlowPart";
import { LookPart } from "./LookPart";
import { RemotesPart } from "./RemotesPart";

/** The switches that can be thrown while running, the look of this window, and what the engine is connected to. */
export function SettingsPage() {
  const { t } = useTranslation("settings");
  const status = useStatus();
  return (
    <>
      <div className="views">
        <h1>{t("title")}</h1>
      </div>
      <div className="page-body">
        {status.isPending && <Loading what={t("reading")} />}
        {status.error && !status.data && <ErrorNote error={status.error} again={() => void status.refetch()} />}
        {status.data && <FlowPart flow={status.data.flow} />}
        <LookPart />
        {status.data && <RemotesPart remotes={status.data.remotes} />}
        {status.data && <BackupPart />}
        {status.data && <AboutPart status={status.data} />}
      </div>
    </>
  );
}
