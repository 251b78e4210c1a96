import { useMantineColorScheme } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useStatus } from "../api/hooks";
import type { Operation, Outlook } from "../api/types";
import type { IconName } from "../parts/Icon";
import { useLanguage } from "./language";

/** Something that the palette can do. */
export interface Command {
  id: string;
  group: "requests" | "pages" | "actions";
  icon: IconName;
  outlook?: Outlook;
  title: string;
  detail?: string;
  run: () => void;
}

/** Requests that were found, then pages and actions whose name holds the text. */
export function useCommands(text: string, found: Operation[], onKeys: () => void): Command[] {
  const { t } = useTranslation("frame");
  const [, navigate] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const { language, choose } = useLanguage();
  const sandbox = useStatus().data?.sandbox;

  const requests = found.map(
    (operation): Command => ({
      id: operation.operation_id,
      group: "requests",
      icon: "requests",
      outlook: operation.outlook,
      title: `${operation.subject_id} \u2192 ${operation.target_key}`,
      detail: operation.sentence,
      run: () => navigate(`/requests/${encodeURIComponent(operation.operation_id)}`),
    }),
  );

  const page = (id: string, icon: IconName, title: string, href: string): Command => ({
    id,
    group: "pages",
    icon,
    title,
    run: () => navigate(href),
  });
  const action = (id: string, icon: IconName, title: string, run: () => void): Command => ({
    id,
    group: "actions",
    icon,
    title,
    run,
  });
  const fixed = [
    action("new", "plus", t("newChange"), () => navigate("/new")),
    page("requests", "requests", t("rail.requests"), "/"),
    page("recovery", "recovery", t("rail.recovery"), "/recovery"),
    page("reconcile", "reconcile", t("rail.reconcile"), "/reconcile"),
    ...(sandbox ? [page("practice", "sandbox", t("rail.sandbox"), "/practice")] : []),
    page("settings", "settings", t("rail.settings"), "/settings"),
    action("keys", "check", t("palette.keys"), onKeys),
    action("light", "settings", t("palette.light"), () => setColorScheme("light")),
    action("dark", "settings", t("palette.dark"), () => setColorScheme("dark")),
    action("auto", "settings", t("palette.auto"), () => setColorScheme("auto")),
    action("language", "settings", t("palette.language"), () => choose(language === "en" ? "zh-CN" : "en")),
  ];
  const wanted = text.trim().toLowerCase();
  const named = fixed.filter((command) => command.title.toLowerCase().includes(wanted));
  return [...requests, ...named.filter((c) => c.group === "actions"), ...named.filter((c) => c.group === "pages")];
}
