import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { LiveContext, useChanges } from "../api/live";
import { ListPage } from "../views/list/ListPage";

const RequestPage = lazy(() =>
  import("../views/request/RequestPage").then((m) => ({ default: m.RequestPage })),
);

/** Everything around the pages, and the routes between them. */
export function Frame() {
  const live = useChanges();
  return (
    <LiveContext value={live}>
      <div className="app">
        <main>
          <Suspense>
            <Switch>
              <Route path="/requests/:id">
                {(params) => <RequestPage key={params.id} operationId={params.id} />}
              </Route>
              <Route>
                <ListPage />
              </Route>
            </Switch>
          </Suspense>
        </main>
      </div>
    </LiveContext>
  );
}
