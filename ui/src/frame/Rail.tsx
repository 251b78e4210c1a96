import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useStatus } from "../api/hooks";
import { Icon, type IconName } from "../parts/Icon";

type Page = "requests" | "recovery" | "reconcile" | "sandbox" | "settings";
const HREF: Record<Page, string> = {
  requests: "/",
  recovery: "/recovery",
  reconcile: "/reconcile",
  sandbox: "/practice",
  settings: "/settings",
};
const ICON: Record<Page, IconName> = {
  requests: "requests",
  recovery: "recovery",
  reconcile: "reconcile",
  sandbox: "sandbox",
  settings: "settings",
};

function isCurrent(page: Page, path: string): boolean {
  if (page === "requests") return path === "/" || path.startsWith("/requests");
  return path === HREF[page];
}

interface LinkProps {
  page: Page;
  /** How many things there want a person, and the words for it. */
  count?: number;
  counted?: "attention" | "recoveryCount";
}

function RailLink({ page, count, counted = "attention" }: LinkProps) {
  const { t } = useTranslation("frame");
  const [path] = useLocation();
  return (
    <Link href={HREF[page]} title={t(`rail.${page}`)} aria-current={isCurrent(page, path) ? "page" : undefined}>
      <Icon name={ICON[page]} />
      <span className="rail-word">{t(`rail.${page}`)}</span>
      {count !== undefined && count > 0 && (
        <span className="n">
          <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
          <span className="vh">{t(counted, { count })}</span>
        </span>
      )}
    </Link>
  );
}

/** The rail of pages at the left. */
export function Rail() {
  const { t } = useTranslation("frame");
  const status = useStatus().data;
  return (
    <nav className="rail" aria-label={t("rail.label")}>
      <RailLink page="requests" count={status?.attention} />
      <RailLink page="recovery" count={status?.recovery} counted="recoveryCount" />
      <RailLink page="reconcile" />
      {status?.sandbox && <RailLink page="sandbox" />}
      <span className="sp" />
      <RailLink page="settings" />
    </nav>
  );
}
