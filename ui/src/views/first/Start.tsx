import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ProblemError } from "../../api/client";
import { SignOutContext } from "../../frame/session";
import { useHost } from "../../host/context";
import { Loading } from "../../parts/Notes";
import { FirstRun } from "./FirstRun";
import { SignIn } from "./SignIn";
import { StartFailed } from "./StartFailed";

/** What has to be settled before there is anything to show: a token in a browser, data and an engine on the desktop. */
export function Start({ children }: { children: ReactNode }) {
  const { t } = useTranslation("first");
  const host = useHost();
  const client = useQueryClient();
  const [token, setToken] = useState<"have" | "need" | "refused">(host.signIn?.needed() ? "need" : "have");
  const start = useQuery({ queryKey: ["start"], queryFn: () => host.start(), staleTime: Number.POSITIVE_INFINITY });

  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        // Queries of an earlier token that are cleared away still carry its refusal.
        if (event.type !== "updated" || event.action.type !== "error") return;
        const error = event.query.state.error;
        if (!(host.signIn && error instanceof ProblemError && error.problem.status === 401)) return;
        host.signIn.forget();
        setToken((before) => (before === "have" ? "refused" : before));
      }),
    [client, host],
  );

  function signOut() {
    host.signIn?.forget();
    client.clear();
    setToken("need");
  }

  if (token !== "have") {
    return (
      <SignIn
        refused={token === "refused"}
        onToken={(value) => {
          client.clear();
          host.signIn?.accept(value);
          setToken("have");
        }}
      />
    );
  }
  if (start.error)
    return <StartFailed state={{ mode: "failed", message: start.error.message }} onAgain={start.refetch} />;
  if (!start.data) return <Loading what={t("engine")} />;
  if (start.data.mode === "first-run") return <FirstRun state={start.data} onAgain={start.refetch} />;
  if (start.data.mode === "failed") return <StartFailed state={start.data} onAgain={start.refetch} />;
  return <SignOutContext value={signOut}>{children}</SignOutContext>;
}
