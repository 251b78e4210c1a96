import type { Stand } from "./frame";
import { lettered } from "./lettering";
import type { Measure, Possible, Text, Words } from "./types";

/** What the labels of one step say. */
export interface Saying {
  stand: Stand;
  code: string;
  name: string;
  walked: boolean;
  ringed: boolean;
  final: boolean;
  visits: number;
  lastAt: number | null;
}

const SMALL_LINE = 12;

/** The code of a step: it has one place only, a little nearer to its stop where room is short. */
export function codeText(say: Saying, measure: Measure, tight = false): Text {
  const { stand } = say;
  const { x, y } = stand.at;
  const more = { look: say.walked ? "wk" : "q", code: stand.code };
  const wide = say.ringed ? 4 : 0;
  if (stand.row === "main")
    return lettered(measure, say.code, "cd", x, y + (say.final ? 24 : 19 + wide), { ...more, anchor: "middle" });
  if (stand.row === "loop") return lettered(measure, say.code, "cd", x, y + 17 + wide, { ...more, anchor: "middle" });
  if (stand.sort === "spur") return lettered(measure, say.code, "cd", x, y - 14, { ...more, anchor: "middle" });
  const away = stand.sort === "end" ? 9 : stand.sort === "unknown" ? 10 : 9;
  return lettered(measure, say.code, "cd", x + away + (say.ringed ? (tight ? 1.5 : 5) : 0), y + 3.5, more);
}

/** Places for the name, the best first. */
export function nameTexts(say: Saying, code: Text, measure: Measure): Text[][] {
  const { stand } = say;
  const { x, y } = stand.at;
  const more = { look: say.walked ? "wk" : "q", code: stand.code };
  const font = say.walked ? "nm" : "nmq";
  const wide = say.ringed ? 4 : 0;
  if (say.final) return [[lettered(measure, say.name, "nm", x, y - 15, { ...more, anchor: "middle" })]];
  if (stand.row === "main") {
    const above = y - 13 - wide;
    return [
      ...[0, -4, 4].map((dx) => [lettered(measure, say.name, font, x + dx, above, { ...more, anchor: "middle" })]),
      [lettered(measure, say.name, font, x + 8, above, { ...more, anchor: "end" })],
    ];
  }
  if (stand.row === "loop") {
    return [
      [lettered(measure, say.name, font, x + 4, y - 11 - wide, { ...more, anchor: "end" })],
      [lettered(measure, say.name, font, x, y - 11 - wide, { ...more, anchor: "middle" })],
    ];
  }
  if (stand.sort === "spur" && say.ringed) return [];
  if (stand.sort === "spur")
    return [[lettered(measure, say.name, "tm", code.box.x0 - 5, code.y, { ...more, anchor: "end" })]];
  const small = stand.sort === "end" ? "end" : "tm";
  return [[lettered(measure, say.name, small, code.box.x1 + 5, code.y, more)]];
}

/** The last time at a station, and how often it was there. */
export function timeTexts(say: Saying, code: Text, words: Words, measure: Measure): Text[][] {
  if (say.lastAt === null) return [];
  const { x } = say.stand.at;
  const y = code.y + SMALL_LINE;
  const times = say.visits > 1 ? `\u00d7${say.visits}` : "";
  const clock = words.clock(say.lastAt);
  const more = { look: "wk", code: say.stand.code };
  const out: Text[][] = [];
  for (const text of times === "" ? [clock] : [`${clock} ${times}`, times]) {
    out.push([lettered(measure, text, "tm", x, y, { ...more, anchor: "middle" })]);
    out.push([lettered(measure, text, "tm", x - 12, y, more)]);
    out.push([lettered(measure, text, "tm", x + 14, y, { ...more, anchor: "end" })]);
  }
  return out;
}

/** Ways to write the events of a move: all of them, or the first and how many more there are. */
function wordings(events: readonly Possible[]): string[] {
  const names = [...new Set(events.map((event) => event.event))];
  const first = names[0] ?? "";
  if (names.length <= 1) return [first];
  return [names.join(", "), `${first} +${names.length - 1}`, first];
}

type Put = (x: number, y: number, anchor: Text["anchor"]) => Text;

/** Places for the events that lead to a step, with its name before them where there is room for both. */
export function eventTexts(
  say: Saying,
  code: Text,
  name: Text[][],
  events: readonly Possible[],
  measure: Measure,
): Text[][] {
  const more = {
    look: events.some((event) => event.own) ? "own" : "o",
    code: say.stand.code,
    action: events.find((event) => event.action !== null)?.action ?? null,
  };
  const place = say.stand.sort === "spur" ? besideSpur : say.stand.track.length > 0 ? besideStop : overStation;
  return wordings(events).flatMap((text) =>
    place(say, code, name, (x, y, anchor) => lettered(measure, text, "ev", x, y, { ...more, anchor })),
  );
}

function overStation(say: Saying, _code: Text, name: Text[][], put: Put): Text[][] {
  const { x, y } = say.stand.at;
  const above = [...name, []].flatMap((named) => {
    const top = named[0] ? named[0].y - 14 : y - 15;
    return [
      [...named, put(x, top, "middle")],
      [...named, put(x + 10, top, "end")],
      [...named, put(x - 10, top, "start")],
    ];
  });
  const below = y + (say.lastAt === null ? 36 : 48);
  return [...above, [put(x, below, "middle")], [put(x - 15, below, "start")]];
}

function besideSpur(say: Saying, code: Text, _name: Text[][], put: Put): Text[][] {
  const { x, y } = say.stand.at;
  return [
    [put(code.box.x1 + 4, code.y, "start")],
    [put(code.box.x0 - 4, code.y, "end")],
    [put(x - 15, y + 3.5, "end")],
  ];
}

function besideStop(say: Saying, code: Text, name: Text[][], put: Put): Text[][] {
  const { stand } = say;
  const after = [...name, []].map((named) => [...named, put((named[0]?.box.x1 ?? code.box.x1) + 6, code.y, "start")]);
  const around = [[put(code.box.x0, code.y + 12, "start")], [put(code.box.x0, code.y - 12, "start")]];
  const bend = stand.track.at(-2);
  if (!bend) return [...after, ...around];
  // In the corner that the track leaves free on the left of its bend.
  const corner = stand.sort === "unknown" ? stand.at.y - 3.5 : stand.at.y + 12;
  return [...after, ...around, [put(bend.x - 4, corner, "end")], [put(bend.x + 3, corner, "end")]];
}

/** The lettering of the current step: bigger, in its outlook's colour, with since when and why. */
export function currentTexts(say: Saying, since: string | null, note: string | null, measure: Measure): Text[][] {
  const { stand } = say;
  const { x, y } = stand.at;
  const code = stand.code;
  const now = (text: string, tx: number, ty: number, anchor: Text["anchor"] = "start") =>
    lettered(measure, text, "now", tx, ty, { anchor, look: "now", code });
  const nowCode = (tx: number, ty: number, anchor: Text["anchor"] = "start") =>
    lettered(measure, say.code, "nowcd", tx, ty, { anchor, look: "now", code });
  const small = (text: string, tx: number, ty: number, anchor: Text["anchor"] = "start") =>
    lettered(measure, text, "now2", tx, ty, { anchor, look: "now2", code });
  const oneLine = (tx: number, ty: number, anchor: "start" | "end" = "start"): Text[] => {
    if (anchor === "end") {
      const right = now(say.name, tx, ty, "end");
      return [nowCode(right.box.x0 - 5, ty, "end"), right];
    }
    const left = nowCode(tx, ty);
    return [left, now(say.name, left.box.x1 + 5, ty)];
  };
  const lines = [note !== null && since !== null ? `${since} \u00b7 ${note}` : null, since].filter(
    (line) => line !== null,
  );
  if (stand.row === "main" || stand.row === "loop") return onLine(say, lines, now, nowCode, small);
  if (stand.sort === "spur") {
    const below = lines.at(-1);
    return [
      ...(below ? [[...oneLine(x - 20, y - 1, "end"), small(below, x - 20, y + 14, "end")]] : []),
      oneLine(x - 20, y + 4, "end"),
      oneLine(x + 30, y - 20, "end"),
    ];
  }
  const tx = x + 20;
  return [
    ...lines.map((line) => [...oneLine(tx, y - 1), small(line, tx, y + 14)]),
    ...lines.slice(-1).map((line) => [nowCode(tx, y - 6), now(say.name, tx, y + 8), small(line, tx, y + 22)]),
    oneLine(tx, y + 4),
    ...(stand.sort === "failed"
      ? lines.slice(-1).flatMap((line) => [
          [nowCode(tx, y + 4), now(say.name, x + 17, y + 24), small(line, x + 17, y + 38)],
          [nowCode(tx, y + 4), now(say.name, x - 6, y + 28, "end"), small(line, x - 6, y + 42, "end")],
        ])
      : []),
    [nowCode(tx, y - 2), now(say.name, tx, y + 12)],
    [nowCode(tx, y + 4)],
  ];
}

type Write = (text: string, x: number, y: number, anchor?: Text["anchor"]) => Text;

/** A current station: its name above, code and time below. */
function onLine(
  say: Saying,
  lines: string[],
  now: Write,
  nowCode: (x: number, y: number, anchor?: Text["anchor"]) => Text,
  small: Write,
): Text[][] {
  const { x, y } = say.stand.at;
  const loop = say.stand.row === "loop";
  const names = loop
    ? [now(say.name, x + 8, y - 19, "end"), now(say.name, x, y - 19, "middle")]
    : [now(say.name, x, y - 19, "middle"), now(say.name, x + 14, y - 19, "end")];
  const code = nowCode(x, y + 27, "middle");
  const since = lines.at(-1);
  const out: Text[][] = [];
  for (const name of names) {
    if (since) {
      out.push([name, code, small(since, x, y + 40, "middle")]);
      out.push([name, code, small(since, x - 17, y + 40)]);
      out.push([name, code, small(since, x + 17, y + 40, "end")]);
    }
    out.push([name, code]);
  }
  return out;
}
