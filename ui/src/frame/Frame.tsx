import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Route, Switch, useLocation } from "wouter";
import { useStatus } from "../api/hooks";
import { LiveContext, useChanges } from "../api/live";
import { Boundary } from "../parts/Boundary";
import { Empty, Loading } from "../parts/Notes";
import { RestoredNotice } from "../views/backup/RestoredNotice";
import { ListPage } from "../views/list/ListPage";
import { OfflineBar, PracticeBar } from "./Bars";
import { Brand } from "./Brand";
import { KeysHelp } from "./KeysHelp";
import { useKeys } from "./keys";
import { OutsideBar } from "./OutsideBar";
import { Palette } from "./Palette";
import { Rail } from "./Rail";
import { TopBar } from "./TopBar";

const RequestPage = lazy(() => import("../views/request/RequestPage").then((m) => ({ default: m.RequestPage })));
const NewChangePage = lazy(() => import("../views/change/NewChangePage").then((m) => ({ default: m.NewChangePage })));
const RecoveryPage = lazy(() => import("../views/recovery/RecoveryPage").then((m) => ({ default: m.RecoveryPage })));
const ReconcilePage = lazy(() =>
  import("../views/reconcile/ReconcilePage").then((m) => ({ default: m.ReconcilePage })),
);
const SettingsPage = lazy(() => import("../views/settings/SettingsPage").then((m) => ({ default: m.SettingsPage })));
const PracticePage = lazy(() => import("../views/practice/PracticePage").then((m) => ({ default: m.PracticePage })));

function Missing() {
  const { t } = useTranslation("frame");
  return (
    <Empty title={t("missing.title")}>
      <Link href="/">{t("missing.back")}</Link>
    </Empty>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <ListPage />
      </Route>
      <Route path="/requests/:id">
        {(params) => <RequestPage key={params.id} operationId={decodeURIComponent(params.id)} />}
      </Route>
      <Route path="/new">
        <NewChangePage />
      </Route>
      <Route path="/recovery">
        <RecoveryPage />
      </Route>
      <Route path="/reconcile">
        <ReconcilePage />
      </Route>
      <Route path="/practice">
        <PracticePage />
      </Route>
      <Route path="/settings">
        <SettingsPage />
      </Route>
      <Route>
        <Missing />
      </Route>
    </Switch>
  );
}

/** Fetches the pages behind the first one while nothing else happens, so that going to them takes no time. */
function usePagesAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const ahead = [import("../views/request/RequestPage"), import("../views/change/NewChangePage")];
      // What fails here fails again, and is told, when somebody goes to the page.
      void Promise.allSettled(ahead);
    }, 1500);
    return () => clearTimeout(timer);
  }, []);
}

/** The title of the window; it stands by itself, so that a count that is read again draws no page again. */
function WindowTitle() {
  const { t } = useTranslation("frame");
  const count = useStatus().data?.attention ?? 0;
  const title = count > 0 ? t("titleAttention", { count }) : t("title");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

/** Everything around the pages, the keys that work everywhere, and the routes between pages. */
export function Frame() {
  const { t } = useTranslation("frame");
  const { link, lastAt, heard } = useChanges();
  const live = useMemo(() => ({ link, lastAt, heard }), [link, lastAt, heard]);
  const [finding, setFinding] = useState(false);
  const [helping, setHelping] = useState(false);
  const [path, navigate] = useLocation();
  usePagesAhead();
  useKeys({
    "mod+k": () => setFinding(true),
    "?": () => setHelping(true),
    n: () => navigate("/new"),
  });
  return (
    <LiveContext value={live}>
      <WindowTitle />
      <div className="app">
        <a className="skip" href="#page">
          {t("skip")}
        </a>
        <header className="head-all">
          <Brand />
          <TopBar onFind={() => setFinding(true)} />
        </header>
        <Rail />
        <main id="page" tabIndex={-1}>
          <OfflineBar />
          <RestoredNotice />
          <OutsideBar />
          <PracticeBar />
          <Boundary key={path}>
            <Suspense fallback={<Loading what={t("brand")} />}>
              <Pages />
            </Suspense>
          </Boundary>
        </main>
      </div>
      <Palette opened={finding} onClose={() => setFinding(false)} onKeys={() => setHelping(true)} />
      <KeysHelp opened={helping} onClose={() => setHelping(false)} />
    </LiveContext>
  );
}
