import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Actions, Operation } from "../../api/types";
import { useOpenOutside } from "../../host/outside";
import { CopyText } from "../../parts/CopyText";
import { useTimedText } from "../../parts/clock";
import { Icon } from "../../parts/Icon";
import { OutlookMark } from "../../parts/OutlookMark";
import { Ago, Moment } from "../../parts/Time";
import { durationText } from "../../parts/time";
import { NextLook } from "./NextLook";
import { Sentence } from "./Sentence";

export interface Place {
  at: number;
  total: number;
  next: string | null;
  previous: string | null;
}

interface Props {
  operation: Operation;
  actions: Actions | undefined;
  place: Place;
}

/** Who this request is: outlook, subject and target, the one sentence, and its ids and times. */
export function Head({ operation, actions, place }: Props) {
  return (
    <header className="head">
      <Crumb place={place} />
      <div className="ttl">
        <OutlookMark outlook={operation.outlook} plate />
        <h1 title={`${operation.subject_id} \u2192 ${operation.target_key}`}>
          {operation.subject_id}
          <span className="arr">{"\u2192"}</span>
          {operation.target_key}
        </h1>
        <span className="mono muted">{`${operation.step.code} ${operation.step.name}`}</span>
      </div>
      <p className="sent">
        <Sentence text={operation.sentence} />
      </p>
      <p className="why">
        {operation.hint !== operation.sentence && operation.hint}
        <NextLook operation={operation} />
      </p>
      <Meta operation={operation} actions={actions} />
    </header>
  );
}

function Crumb({ place }: { place: Place }) {
  const { t } = useTranslation("request");
  const href = (id: string) => `/requests/${encodeURIComponent(id)}`;
  return (
    <nav className="crumb">
      <Link href="/">{t("crumb.all")}</Link>
      {place.at >= 0 && (
        <>
          <Icon name="right" />
          <span>{t("crumb.place", { n: place.at + 1, total: place.total })}</span>
          <span className="end" />
          {place.next && (
            <Link href={href(place.next)} title={t("crumb.next")} aria-label={t("crumb.next")}>
              <kbd>{"J"}</kbd>
            </Link>
          )}
          {place.previous && (
            <Link href={href(place.previous)} title={t("crumb.previous")} aria-label={t("crumb.previous")}>
              <kbd>{"K"}</kbd>
            </Link>
          )}
          <span>{t("crumb.keys")}</span>
        </>
      )}
    </nav>
  );
}

function Meta({ operation, actions }: Omit<Props, "place">) {
  const { t } = useTranslation("request");
  const { mr, ticket } = operation;
  const word = (area: "mrState" | "ticketState", state: string | null | undefined) =>
    state ? t(`${area}.${state}` as "mrState.opened", { defaultValue: state }) : "";
  return (
    <div className="meta">
      <span>
        <em>{t("meta.operation")}</em>
        <CopyText
          value={operation.operation_id}
          what={t("meta.operationWhat")}
          shown={operation.operation_id.slice(0, 12)}
        />
      </span>
      <span>
        <em>{t("meta.mr")}</em>
        {mr ? <Outside url={mr.web_url} text={`!${mr.iid}`} /> : t("meta.noMr")}{" "}
        {word("mrState", actions?.remote.mr_state)}
      </span>
      {mr?.head_sha && (
        <span>
          <em>{t("meta.head")}</em>
          <CopyText value={mr.head_sha} what={t("meta.shaWhat")} shown={mr.head_sha.slice(0, 7)} />
        </span>
      )}
      <span>
        <em>{t("meta.ticket")}</em>
        {ticket ? <Outside url={ticket.url} text={ticket.id} /> : t("meta.noTicket")}{" "}
        {word("ticketState", actions?.remote.ticket?.state ?? ticket?.state)}
      </span>
      <span title={operation.kind}>
        <em>{t("meta.kind")}</em>
        {operation.title || operation.kind}
      </span>
      <span>
        <em>{t("meta.requester")}</em>
        {operation.requested_by}
      </span>
      <span>
        <em>{t("meta.submitted")}</em>
        <Moment at={operation.created_at} />
        {", "}
        <Ago at={operation.created_at} />
      </span>
      <Here operation={operation} />
      {!operation.owner && <span className="o-unknown">{t("meta.notOwner")}</span>}
      {operation.stalled && <span className="o-failed">{t("meta.stalled")}</span>}
    </div>
  );
}

/** How long it has been in this step, beside how long requests usually are. */
function Here({ operation }: { operation: Operation }) {
  const { t } = useTranslation("request");
  const { t: words } = useTranslation("words");
  const { entered_at, usual_ms, outlook } = operation;
  const overAt = usual_ms === null ? Number.NaN : Date.parse(entered_at) + usual_ms;
  const over = useTimedText((now) => (now > overAt ? "over" : ""), overAt);
  const usual = usual_ms === null ? t("meta.noUsual") : t("meta.usual", { duration: durationText(words, usual_ms) });
  return (
    <span>
      <em>{t("meta.here")}</em>
      <Moment at={entered_at} />
      {", "}
      {over === "over" && outlook !== "done" ? (
        <b className="over" title={t("meta.over")}>
          <Ago at={entered_at} bare />
        </b>
      ) : (
        <Ago at={entered_at} bare />
      )}
      {outlook !== "done" && `, ${usual}`}
    </span>
  );
}

/** A link out of the app, opened in the person's browser. */
function Outside({ url, text }: { url: string | null; text: string }) {
  const { t } = useTranslation("request");
  const open = useOpenOutside();
  if (!url) return <span className="mono">{text}</span>;
  return (
    <a
      href={url}
      title={t("meta.open", { what: text })}
      onClick={(event) => {
        event.preventDefault();
        open(url);
      }}
    >
      {text}
    </a>
  );
}
