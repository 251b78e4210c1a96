import { FONTS } from "./table";
import type { Box, Font, Measure, Text } from "./types";

const ASCENT = 0.8;
const DESCENT = 0.22;

/** A text with the box it takes. */
export function lettered(
  measure: Measure,
  text: string,
  font: Font,
  x: number,
  y: number,
  more: Partial<Pick<Text, "anchor" | "look" | "code" | "action">> = {},
): Text {
  const anchor = more.anchor ?? "start";
  const width = measure(text, font);
  const x0 = anchor === "start" ? x : anchor === "middle" ? x - width / 2 : x - width;
  const size = FONTS[font].size;
  const box: Box = { x0, x1: x0 + width, y0: y - size * ASCENT, y1: y + size * DESCENT };
  return {
    text,
    x,
    y,
    anchor,
    font,
    look: more.look ?? "q",
    code: more.code ?? null,
    action: more.action ?? null,
    box,
  };
}

/** The width of a text without a screen to measure it on: slightly wide, so that what is placed by it also fits. */
export function estimateWidth(text: string, font: Font): number {
  const { size, mono, weight } = FONTS[font];
  let em = 0;
  for (const char of text) {
    if (/[\u2e80-\u9fff\uff00-\uffef]/.test(char)) em += 1;
    else if (mono) em += 0.602;
    else if (/[A-Z#%@mwMW]/.test(char)) em += 0.72;
    else if (/[ijlftI.,:;'|! ]/.test(char)) em += 0.34;
    else em += 0.58;
  }
  return em * size * (!mono && weight >= 600 ? 1.05 : 1);
}

/** Measures on the screen, with the fonts that the page uses. */
export function screenMeasure(sans: string, monospace: string): Measure {
  const context = document.createElement("canvas").getContext("2d");
  if (!context || typeof context.measureText !== "function") return estimateWidth;
  const known = new Map<string, number>();
  return (text, font) => {
    const key = `${font} ${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const { size, mono, weight } = FONTS[font];
    context.font = `${weight} ${size}px ${mono ? monospace : sans}`;
    const width = context.measureText(text).width;
    known.set(key, width);
    return width;
  };
}
