import { useTranslation } from "react-i18next";
import type { Status } from "../../api/types";
import { useSignOut } from "../../frame/session";
import { useHost } from "../../host/context";
import { Moment } from "../../parts/Time";
import { Part } from "./Part";

/** What runs here, and as whom. */
export function AboutPart({ status }: { status: Status }) {
  const { t } = useTranslation("settings");
  const host = useHost();
  const signOut = useSignOut();
  return (
    <Part title={t("about")}>
      <dl className="kv about">
        <dt>{t("version")}</dt>
        <dd className="mono">{status.version}</dd>
        <dt>{t("person")}</dt>
        <dd>{status.person}</dd>
        <dt>{t("host")}</dt>
        <dd>{t(`hostValue.${host.kind}`)}</dd>
        <dt>{t("engineTime")}</dt>
        <dd>
          <Moment at={status.time} />
        </dd>
      </dl>
      {host.signIn && (
        <div className="set-note">
          <button type="button" className="btn" onClick={signOut}>
            {t("signOut")}
          </button>
        </div>
      )}
    </Part>
  );
}
