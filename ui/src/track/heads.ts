import type { ChartShape } from "./chart";
import { sectionsOf } from "./columns";
import type { Frame } from "./frame";
import { lettered } from "./lettering";
import { HEAD_TEXT_Y, RIGHT_PAD, START_X } from "./table";
import type { Head, PlanInput, Text, Walked } from "./types";

const BEFORE = 32;
const BETWEEN = 10;

/** The heads of the plan: name of the section, time spent in it, and a rule that says passed, current or to come. */
export function headsOf(input: PlanInput, shape: ChartShape, frame: Frame, rounds: number): Head[] {
  const sections = sectionsOf(shape);
  const currentKey = currentSection(input, shape, sections);
  const at = sections.findIndex((section) => section.key === currentKey);
  const starts = sections.map(({ codes }, index) => (index === 0 ? START_X : leftOf(codes, shape, frame)));
  const now = input.current === null ? null : shape.step(input.current).outlook;
  return sections.map(({ key, codes }, index) => {
    const x0 = starts[index] ?? START_X;
    const x1 = (starts[index + 1] ?? frame.endX + RIGHT_PAD) - BETWEEN;
    // A section in which the request ended is passed like the others.
    const state = index > at ? "ahead" : index < at || now === "done" ? "passed" : "current";
    const outlook = state === "current" ? now : null;
    const name = lettered(input.measure, input.words.section(key, sectionName(shape, codes)), "hd", x0, HEAD_TEXT_Y);
    return {
      key,
      x0,
      x1,
      state,
      outlook,
      texts: [name, ...spentText(input, shape, codes, name.box.x1, x1, outlook, rounds)],
    };
  });
}

const sectionName = (shape: ChartShape, codes: number[]) =>
  codes[0] === undefined ? "" : shape.step(codes[0]).stage_name;

function leftOf(codes: number[], shape: ChartShape, frame: Frame): number {
  const xs = codes.map((code) => (frame.stands.get(code)?.at.x ?? 0) - BEFORE);
  if (shape.loop && codes.includes(shape.loop.leaves)) {
    for (const code of shape.loop.codes) xs.push((frame.stands.get(code)?.at.x ?? 0) - 26);
  }
  return Math.min(...xs);
}

/** The station of the main line that a step belongs to. */
export function rootOf(code: number, shape: ChartShape): number | null {
  if (shape.main.includes(code)) return code;
  if (shape.loop?.codes.includes(code)) return shape.loop.leaves;
  const hung = shape.hung.find((one) => one.code === code);
  if (!hung) return null;
  if (hung.parent === null) return shape.main[0] ?? null;
  return hung.on === "spur" ? null : rootOf(hung.parent, shape);
}

/** The section of the current step; for one that belongs to no station, such as a close, that of the last one before. */
function currentSection(input: PlanInput, shape: ChartShape, sections: ReturnType<typeof sectionsOf>): string | null {
  const isSpur = (code: number) => {
    const hung = shape.hung.find((one) => one.code === code);
    return hung?.on === "spur" || hung?.sort === "spur";
  };
  const seen = [...input.walked.map((move) => move.to), ...(input.current === null ? [] : [input.current])];
  const last = seen.filter((code) => !isSpur(code)).at(-1);
  const root = last === undefined ? (shape.main[0] ?? null) : rootOf(last, shape);
  return sections.find((section) => root !== null && section.codes.includes(root))?.key ?? sections[0]?.key ?? null;
}

function spentIn(codes: number[], walked: readonly Walked[], shape: ChartShape): number {
  let ms = 0;
  for (const move of walked) {
    if (move.from === null || move.ms === null) continue;
    const root = rootOf(move.from, shape);
    if (root !== null && codes.includes(root)) ms += move.ms;
  }
  return ms;
}

/** What stands after the name, the longest that fits: rebases and time, or the outlook in a word. */
function spentText(
  { words, measure, walked }: PlanInput,
  shape: ChartShape,
  codes: number[],
  from: number,
  to: number,
  outlook: Head["outlook"],
  rounds: number,
): Text[] {
  const ms = spentIn(codes, walked, shape);
  const parts: string[] = [];
  if (outlook !== null) parts.push(words.outlook(outlook));
  if (rounds > 0 && shape.loop && codes.includes(shape.loop.leaves)) parts.push(words.rebases(rounds));
  if (ms >= 1000) parts.push(words.span(ms));
  for (let count = parts.length; count > 0; count--) {
    const text = lettered(measure, parts.slice(0, count).join(", "), "hd2", from + 7, HEAD_TEXT_Y);
    if (text.box.x1 <= to) return [text];
  }
  const short = parts.at(-1);
  const last = short === undefined ? null : lettered(measure, short, "hd2", from + 7, HEAD_TEXT_Y);
  return last && last.box.x1 <= to ? [last] : [];
}
