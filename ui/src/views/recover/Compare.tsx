import { useTranslation } from "react-i18next";
import type { Actions, Operation } from "../../api/types";
import { Ago, Moment } from "../../parts/Time";
import { type Fact, factsOf } from "./compare";

/** What was believed beside what the remotes say now; a difference has a wash, an edge and a word. */
export function Compare({ reading, operation }: { reading: Actions; operation: Operation }) {
  const { t } = useTranslation("recover");
  const believedAt = reading.believed.at ?? operation.updated_at;
  return (
    <table className="cmp">
      <thead>
        <tr>
          <th />
          <th>
            {t("believed")}{" "}
            <small>
              <Moment at={believedAt} />
              {", "}
              <Ago at={believedAt} />
            </small>
          </th>
          <th>
            {t("now")}{" "}
            <small>
              <Moment at={reading.observed_at} />
            </small>
          </th>
          <th className="age2">{t("read")}</th>
        </tr>
      </thead>
      <tbody>
        {factsOf(reading, operation).map((fact) => (
          <FactRow key={fact.key} fact={fact} reading={reading} operation={operation} />
        ))}
      </tbody>
    </table>
  );
}

function FactRow({ fact, reading, operation }: { fact: Fact; reading: Actions; operation: Operation }) {
  const { t } = useTranslation("recover");
  const { t: words } = useTranslation("request");
  const ticket = operation.ticket?.id;
  const label =
    fact.key === "ticket" ? (ticket ? t("fact.ticket", { id: ticket }) : t("fact.ticketNone")) : t(`fact.${fact.key}`);
  const say = (value: string | null) => {
    if (value === null || value === "") return fact.key === "approvals" && value === "" ? t("nobody") : t("nothing");
    if (fact.key === "ticket") return words(`ticketState.${value as "approved"}`, { defaultValue: value });
    if (fact.key !== "mr" || !operation.mr) return value;
    const state = words(`mrState.${value as "opened"}`, { defaultValue: value });
    return t("mrState", { iid: operation.mr.iid, state });
  };
  return (
    <tr className={fact.differs ? "df" : undefined} data-fact={fact.key}>
      <td>{label}</td>
      <td className={fact.mono ? "mono" : undefined}>{say(fact.believed)}</td>
      <td className={fact.mono && fact.now !== undefined ? "mono" : undefined}>
        {fact.now === undefined ? (
          <span className="tag unk" title={t("notReadWhy")}>
            {t("notRead")}
          </span>
        ) : (
          say(fact.now)
        )}
        {fact.differs && <span className="tag diff">{t("differs")}</span>}
      </td>
      <td className="age2">{fact.now !== undefined && <Ago at={reading.observed_at} />}</td>
    </tr>
  );
}
