import type { ChartShape } from "./chart";
import { GAPS, LANE_ROOM, RIGHT_PAD, SECTIONS } from "./table";

/** Which section each station of the main line is in; one that opens none is in that of the station before. */
export function sectionsOf(shape: ChartShape): { key: string; codes: number[] }[] {
  const out: { key: string; codes: number[] }[] = [];
  for (const code of shape.main) {
    const opened = SECTIONS.find((section) => section.opens.includes(code));
    const last = out.at(-1);
    if (opened && opened.key !== last?.key) out.push({ key: opened.key, codes: [code] });
    else if (last) last.codes.push(code);
    else out.push({ key: shape.step(code).stage_name || "start", codes: [code] });
  }
  return out;
}

/**
 * The x of each station of the main line: smallest distances first, spare width by weight. A return lane to a station
 * takes some more room after it, which the loop gives.
 */
export function columnsOf(shape: ChartShape, width: number, lane: number | null): number[] {
  const gaps = shape.main.map((_, index) => {
    const sort = gapAt(shape, index);
    const { min, weight } = GAPS[sort];
    const beside = lane !== null && lane !== shape.loop?.returns && lane !== shape.main.at(-2);
    if (!beside) return { min, weight };
    if (sort === "overLoop") return { min: min - LANE_ROOM, weight };
    return { min: shape.main[index - 1] === lane ? min + LANE_ROOM : min, weight };
  });
  const least = gaps.reduce((sum, gap) => sum + gap.min, 0);
  const weights = gaps.reduce((sum, gap) => sum + gap.weight, 0);
  const spare = width - RIGHT_PAD - least;
  // Narrower than the smallest plan: everything comes a little closer, nothing is scaled.
  const squeeze = spare < 0 ? (width - RIGHT_PAD) / least : 1;
  const xs: number[] = [];
  let x = 0;
  for (const gap of gaps) {
    x += gap.min * squeeze + (spare > 0 ? (spare * gap.weight) / weights : 0);
    xs.push(Math.round(x));
  }
  return xs;
}

function gapAt(shape: ChartShape, index: number): keyof typeof GAPS {
  const code = shape.main[index];
  const before = shape.main[index - 1];
  if (code === undefined || before === undefined) return "first";
  if (index === shape.main.length - 1) return "last";
  if (shape.loop?.leaves === code) return "overLoop";
  if (shape.loop?.leaves === before) return "afterLoop";
  if (shape.hung.some((hung) => hung.parent === before && hung.sort === "end")) return "afterEnds";
  return SECTIONS.some((section) => section.opens.includes(code)) ? "newSection" : "inSection";
}
