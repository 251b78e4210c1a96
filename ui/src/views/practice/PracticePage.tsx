import { useTranslation } from "react-i18next";
import { useStatus } from "../../api/hooks";
import { useOpenOutside } from "../../host/outside";
import { Icon } from "../../parts/Icon";
import { Empty, Loading } from "../../parts/Notes";

/** The stand-ins of the remotes, and what can be tried with them. */
export function PracticePage() {
  const { t } = useTranslation("first");
  const open = useOpenOutside();
  const status = useStatus();
  const sandbox = status.data?.sandbox;
  if (status.isPending) return <Loading what={t("practice.title")} />;
  if (!sandbox) return <Empty title={t("practice.none")} />;
  const places = [
    ["panel", sandbox.panel_url],
    ["desk", sandbox.desk_url],
    ["gitlab", sandbox.gitlab_url],
  ] as const;
  return (
    <>
      <div className="views">
        <h1>{t("practice.title")}</h1>
      </div>
      <div className="page-body">
        <p className="page-why">{t("practice.why")}</p>
        <div className="card">
          {places.map(([name, url]) => (
            <div key={name} className="place">
              <b>{t(`practice.${name}`)}</b>
              <span className="soft">{t(`practice.${name}Why`)}</span>
              <span className="mono muted clip" title={url}>
                {url}
              </span>
              <button type="button" className="btn" onClick={() => open(url)}>
                {t("practice.open")}
                <Icon name="open" />
              </button>
            </div>
          ))}
        </div>
        <section className="part" aria-labelledby="try">
          <h2 id="try">{t("practice.tryTitle")}</h2>
          <ol className="steps">
            <li>{t("practice.try1")}</li>
            <li>{t("practice.try2")}</li>
            <li>{t("practice.try3")}</li>
          </ol>
        </section>
      </div>
    </>
  );
}
