import { Popover } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Remote } from "../api/types";
import { Ago } from "../parts/Time";
import { latencyText } from "../parts/time";

export type Health = "reachable" | "slow" | "unreachable" | "notRead";
const SLOW_MS = 1000;

/** A remote that answers, but in more than a second, is slow: it will be felt in every step. */
export function healthOf(remote: Remote): Health {
  if (remote.read_at === null && remote.reachable) return "notRead";
  if (!remote.reachable) return "unreachable";
  return (remote.latency_ms ?? 0) > SLOW_MS ? "slow" : "reachable";
}

function Signal({ health }: { health: Health }) {
  return (
    <svg className={`sig sig-${health}`} viewBox="0 0 10 10" aria-hidden="true">
      {health === "reachable" && <circle cx="5" cy="5" r="4" />}
      {health === "slow" && <path d="M5 .8 9.6 9.2H.4z" />}
      {health === "unreachable" && <path d="M1 1h8v8H1z" />}
      {health === "notRead" && <circle cx="5" cy="5" r="3.6" />}
    </svg>
  );
}

function Facts({ remote, health }: { remote: Remote; health: Health }) {
  const { t } = useTranslation(["frame", "words"]);
  return (
    <dl className="kv">
      <dt>{t("frame:remotes.state")}</dt>
      <dd>{t(`frame:remotes.${health}`)}</dd>
      <dt>{t("frame:remotes.latency")}</dt>
      <dd>{remote.latency_ms === null ? t("words:none") : t("words:duration.ms", { ms: remote.latency_ms })}</dd>
      <dt>{t("frame:remotes.credential")}</dt>
      <dd>{t(`frame:remotes.credentialIs.${remote.credential}`)}</dd>
      <dt>{t("frame:remotes.readAt")}</dt>
      <dd>{remote.read_at ? <Ago at={remote.read_at} /> : t("frame:remotes.never")}</dd>
      {remote.detail && (
        <>
          <dt>{t("frame:remotes.detail")}</dt>
          <dd>{remote.detail}</dd>
        </>
      )}
    </dl>
  );
}

function RemoteHealth({ remote }: { remote: Remote }) {
  const { t } = useTranslation("frame");
  const words = useTranslation("words").t;
  const health = healthOf(remote);
  const latency = remote.latency_ms === null ? "" : latencyText(words, remote.latency_ms);
  const said =
    health === "unreachable" ? t("remotes.down") : health === "slow" ? t("remotes.latencySlow", { latency }) : latency;
  return (
    <Popover position="bottom-end" width={300} withArrow>
      <Popover.Target>
        <button type="button" className={`remote ${health}`} title={t(`remotes.${health}`)}>
          <Signal health={health} />
          <b>{t(`remotes.name.${remote.remote as "gitlab"}`, { defaultValue: remote.label })}</b>
          <span className="ms">{said}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <Facts remote={remote} health={health} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Health of every remote: reachable, latency, credential, and how old that reading is. */
export function Remotes({ remotes }: { remotes: Remote[] }) {
  const { t } = useTranslation("frame");
  return (
    <section className="remotes end" aria-label={t("remotes.label")}>
      {remotes.map((remote) => (
        <RemoteHealth key={remote.remote} remote={remote} />
      ))}
    </section>
  );
}
