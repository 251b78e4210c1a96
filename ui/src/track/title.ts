import type { TFunction } from "i18next";
import type { Operation } from "../api/types";
import type { Plan, Possible } from "./types";

/** The whole plan in words, for those who do not see it. */
export function planTitle(t: TFunction<["track", "words"]>, plan: Plan, operation: Operation): string {
  const path = plan.heads.filter((head) => head.state !== "ahead").map((head) => head.texts[0]?.text ?? head.key);
  const events = plan.nodes.flatMap((node) => node.events);
  const moves = (own: boolean) =>
    events
      .filter((event) => event.own === own)
      .map((event: Possible) => t("track:title.move", { event: event.event, code: event.to }))
      .join(", ");
  const { code, name } = operation.step;
  const said = [
    t("track:title.at", { code, name, outlook: t(`words:outlook.${operation.outlook}`), path: path.join(", ") }),
  ];
  if (operation.rebases > 0) said.push(t("track:title.rebases", { count: operation.rebases }));
  const own = moves(true);
  const others = moves(false);
  if (own !== "") said.push(t("track:title.own", { moves: own }));
  if (others !== "") said.push(t("track:title.others", { moves: others }));
  if (own === "" && others === "") said.push(t("track:title.still"));
  return said.join(" ");
}
