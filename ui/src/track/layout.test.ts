import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import type { Workflow, WorkflowStep } from "../api/types";
import { resources } from "../locales/resources";
import { sampleChart } from "./chart.sample";
import { layOut } from "./layout";
import { estimateWidth } from "./lettering";
import { possibleMoves } from "./moves";
import type { Box, Node, Piece, Plan, PlanInput, Point, Text } from "./types";
import { walkTo } from "./walks.sample";
import { planWords } from "./words";

type Order = PlanInput["order"];
const ORDERS: Order[] = ["approval-first", "mr-first"];
const step: WorkflowStep = {
  code: 0,
  name: "",
  status: null,
  outlook: "failed",
  stage: 101,
  stage_name: "",
  terminal: false,
};
const LANGUAGES = ["en", "zh-CN"] as const;

beforeAll(async () => {
  await i18next.init({ resources, lng: "en", defaultNS: "words", interpolation: { escapeValue: false } });
});

function planOf(
  code: number,
  width: number,
  order: Order = "approval-first",
  language = "en",
  rounds = 2,
  walked = walkTo(sampleChart, order, code, rounds),
  chart = sampleChart,
): Plan {
  const hasMr = walked.some((move) => move.event === "mr_opened");
  return layOut({
    chart,
    order,
    width,
    walked,
    current: code,
    enteredAt: walked.at(-1)?.at ?? null,
    note: "401 from reviewer-b",
    possible: possibleMoves(chart, { current: code, order, hasMr }),
    words: planWords(i18next.getFixedT(language, ["track", "words"])),
    measure: estimateWidth,
  });
}

const meet = (a: Box, b: Box) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;

/** Samples the line every half pixel: slower than the layout's own test, and independent of it. */
function lineMeets(a: Point, b: Point, box: Box): boolean {
  if (Math.max(a.x, b.x) < box.x0 || Math.min(a.x, b.x) > box.x1) return false;
  if (Math.max(a.y, b.y) < box.y0 || Math.min(a.y, b.y) > box.y1) return false;
  const steps = Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) * 2);
  for (let i = 0; i <= steps; i++) {
    const x = a.x + ((b.x - a.x) * i) / Math.max(1, steps);
    const y = a.y + ((b.y - a.y) * i) / Math.max(1, steps);
    if (x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1) return true;
  }
  return false;
}

function onTrack(text: Text, track: Piece): boolean {
  const half = track.thick / 2;
  const { x0, x1, y0, y1 } = text.box;
  const box = { x0: x0 - half, x1: x1 + half, y0: y0 - half, y1: y1 + half };
  return track.points.slice(1).some((b, i) => lineMeets(track.points[i] ?? b, b, box));
}

function stopBox(node: Node): Box | null {
  if (node.shape === "tick") return null;
  const r = node.current ? 10 : node.ring ? 9 : node.shape === "bar" ? 2 : node.row === "main" ? 7 : 4;
  return { x0: node.x - r, x1: node.x + r, y0: node.y - r, y1: node.y + r };
}

function collisions(plan: Plan): string[] {
  const tracks = [...plan.quiet, ...plan.walked, ...plan.possible];
  const texts = [...plan.texts, ...plan.heads.flatMap((head) => head.texts)];
  const stops = plan.nodes.flatMap((node) => stopBox(node) ?? []);
  return texts.flatMap((text, index) => {
    const { box } = text;
    const others = texts.slice(index + 1).filter((other) => meet(box, other.box));
    return [
      ...others.map((other) => `"${text.text}" on "${other.text}"`),
      ...tracks.filter((track) => onTrack(text, track)).map((track) => `"${text.text}" on track ${track.key}`),
      ...(stops.some((stop) => meet(box, stop)) ? [`"${text.text}" on a stop`] : []),
      ...(box.x0 < 0 || box.x1 > plan.width ? [`"${text.text}" outside`] : []),
    ];
  });
}

/** Every step in both orders at those widths. */
function eachPlan(widths: number[], look: (plan: Plan, where: string, code: number) => void) {
  for (const order of ORDERS) {
    for (const { code } of sampleChart.steps) {
      for (const width of widths) look(planOf(code, width, order), `${order} ${code} at ${width}`, code);
    }
  }
}

describe("no text meets another text, a track or a stop", () => {
  for (const order of ORDERS) {
    for (const language of LANGUAGES) {
      it(`${order}, ${language}: every step, 900 to 1500 px wide`, () => {
        const found: string[] = [];
        for (const { code } of sampleChart.steps) {
          for (let width = 900; width <= 1500; width += 75) {
            for (const rounds of [0, 2]) {
              const plan = planOf(code, width, order, language, rounds);
              found.push(...collisions(plan).map((what) => `${code} at ${width}: ${what}`));
            }
          }
        }
        expect(found).toEqual([]);
      }, 60_000);
    }
  }
});

describe("what must be readable is there", () => {
  it("has the code of every step, or a tick with a tooltip, and the name of the current one", () => {
    const missing: string[] = [];
    eachPlan([912, 1000, 1320, 1500], (plan, where) => {
      const said = new Set(plan.texts.map((text) => text.text));
      const silent = plan.nodes.filter((node) => node.shape !== "tick" && !said.has(String(node.code)));
      missing.push(...silent.map((node) => `${where}: ${node.code}`));
      if (!plan.texts.some((text) => text.font === "now")) missing.push(`${where}: the name`);
    });
    expect(missing).toEqual([]);
  });

  it("names every event that the person can cause, and nearly all of the others'", () => {
    const own: string[] = [];
    const others: string[] = [];
    eachPlan([912, 936, 1320], (plan, where) => {
      const said = plan.texts.map((text) => text.text).join(" ");
      for (const event of plan.nodes.flatMap((node) => node.events)) {
        if (said.includes(event.event) || /\+\d/.test(said)) continue;
        (event.own ? own : others).push(`${where}: ${event.event} to ${event.to}`);
      }
    });
    expect(own).toEqual([]);
    expect(others.length).toBeLessThan(10);
  });
});

describe("the rules of the plan", () => {
  const at = (plan: Plan, code: number) => plan.nodes.find((node) => node.code === code);
  const piece = (plan: Plan, key: string) => plan.walked.find((one) => one.key === key);

  it("colours the last piece in the outlook of the step it led to", () => {
    expect(piece(planOf(10103, 1320), "side 10103")).toMatchObject({
      outlook: "failed",
      look: "walk",
      edge: "10101-10103",
    });
    expect(piece(planOf(10504, 1320), "side 10504")).toMatchObject({ outlook: "unknown" });
  });

  it("counts repeated visits and rebases instead of drawing them again", () => {
    const plan = planOf(10103, 1320);
    expect(at(plan, 10101)?.visits).toBe(4);
    expect(plan.texts.some((text) => text.text.endsWith("\u00d74"))).toBe(true);
    expect(plan.texts.some((text) => text.text === "2 rebases")).toBe(true);
    expect(new Set(plan.walked.map((one) => one.key)).size).toBe(plan.walked.length);
  });

  it("drops from the loop to a siding of it and passes under the main line", () => {
    const drop = piece(planOf(10106, 1320), "drop 10106");
    expect(drop?.points.map((point) => point.y)).toEqual([86, 124.5]);
    expect(piece(planOf(10106, 1320), "side 10106")?.points[0]?.y).toBe(135.5);
    expect(piece(planOf(10105, 1320), "drop 10105")).toBeUndefined();
  });

  it("runs the person's own moves as lanes, beside the siding and along the ends row", () => {
    const keys = planOf(10103, 1320).possible.map((one) => one.key);
    expect(keys).toEqual(["lane 10101", "lane 10201"]);
    expect(at(planOf(10103, 1320), 10109)?.ring).toBe("other");
    expect(at(planOf(10504, 1320), 10101)?.ring).toBe("own");
  });

  it("shows a way past stations as a thin line: they were not called at", () => {
    const walked = walkTo(sampleChart, "approval-first", 10005, 0);
    const last = walked.at(-1)?.at ?? 0;
    const plan = planOf(10109, 1320, "approval-first", "en", 0, [
      ...walked,
      { from: 10005, to: 10109, event: "remote_merged", at: last + 1000, ms: 1000 },
    ]);
    expect(plan.walked.some((one) => one.look === "thru" && one.edge === "10005-10109")).toBe(true);
    expect(at(plan, 10101)?.walked).toBe(false);
  });

  it("gives a step that the table gains later a place, its code and words", () => {
    const more: Workflow = {
      ...sampleChart,
      steps: [
        ...sampleChart.steps,
        { ...step, code: 10112, name: "HANDLE_MERGE_HELD", outlook: "failed" },
        { ...step, code: 10119, name: "HANDLE_STAGED", outlook: "waiting" },
        { ...step, code: 10999, name: "LOST_STEP", outlook: "unknown" },
      ],
      transitions: [
        ...sampleChart.transitions.filter((t) => !(t.from === 10102 && t.event === "merged")),
        { from: 10102, event: "merge_held", to: 10112, by: "engine", note: "" },
        { from: 10102, event: "staged", to: 10119, by: "engine", note: "" },
        { from: 10119, event: "merged", to: 10109, by: "engine", note: "" },
      ],
    };
    const plan = planOf(10112, 1320, "approval-first", "en", 0, undefined, more);
    expect(at(plan, 10112)).toMatchObject({ current: true, row: "f3" });
    expect(plan.texts.some((text) => text.text === "merge held")).toBe(true);
    expect(at(plan, 10119)).toMatchObject({ row: "main" });
    expect(at(plan, 10999)).toBeDefined();
    expect(collisions(plan)).toEqual([]);
  });

  it("keeps the smallest distances, and shares spare width by weight", () => {
    const xs = (width: number) =>
      planOf(10103, width)
        .nodes.filter((node) => node.row === "main")
        .map((node) => node.x);
    expect(xs(912)).toEqual([28, 95, 174, 236, 303, 366, 664, 777, 868]);
    expect(xs(1320)).toEqual([48, 149, 267, 364, 464, 560, 979, 1152, 1276].map((x) => expect.closeTo(x, -0.5)));
  });
});
