import type { Stand } from "./frame";
import type { Space } from "./geometry";
import { codeText, currentTexts, eventTexts, nameTexts, type Saying, timeTexts } from "./labels";
import { endsLane, type Lane, returnLane, spurOf } from "./lanes";
import { lettered } from "./lettering";
import type { Scene } from "./scene";
import type { Piece, Point, Possible, Text } from "./types";

/** The texts of a plan, the sidings that had to give way, and the lanes of the person's own moves. */
export interface Written {
  texts: Text[];
  ticked: Set<number>;
  lanes: { piece: Piece; tip: Point; angle: number }[];
  /** The way a request took to the close, which has no track of its own. */
  closing: Piece[];
}

/** Writes the texts by priority: current, codes, possible, walked, quiet. What has no room is left out. */
export function write(scene: Scene, space: Space): Written {
  const pen = new Pen(scene, space);
  pen.closing();
  pen.codes(true);
  pen.current();
  pen.lanes();
  pen.codes(false);
  pen.events();
  pen.walked();
  pen.rounds();
  pen.quiet();
  return { texts: pen.texts, ticked: pen.ticked, lanes: pen.drawnLanes, closing: pen.closed };
}

class Pen {
  readonly texts: Text[] = [];
  readonly ticked = new Set<number>();
  readonly drawnLanes: Written["lanes"] = [];
  readonly closed: Piece[] = [];
  private readonly codeOf = new Map<number, Text>();
  private readonly named = new Set<number>();
  private readonly told = new Set<string>();
  private readonly waitingLanes: { lane: Lane; events: Possible[] }[] = [];
  private readonly stands: Stand[];

  constructor(
    private readonly scene: Scene,
    private readonly space: Space,
  ) {
    this.stands = [...scene.frame.stands.values()];
  }

  /** The lettering of the current step: the fullest form for which one siding has to give way at most. */
  current() {
    const { input, frame } = this.scene;
    const stand = input.current === null ? undefined : frame.stands.get(input.current);
    if (!stand) return;
    const at = input.enteredAt ?? input.walked.at(-1)?.at ?? null;
    const since = at === null ? null : input.words.since(at);
    const forms = currentTexts(this.scene.saying(stand), since, input.note, input.measure);
    let best: { form: Text[]; gone: Set<number>; blocked: number } | null = null;
    for (const form of forms) {
      const { gone, blocked } = this.cost(form);
      if (best && best.blocked === 0 && best.gone.size <= (stand.track.length > 0 ? 1 : 0)) break;
      if (!best || blocked < best.blocked || (blocked === best.blocked && gone.size < best.gone.size)) {
        best = { form, gone, blocked };
      }
    }
    if (!best) return;
    for (const code of best.gone) this.tick(code);
    // What stays blocked even so is left out line by line; the code stands first.
    for (const text of best.blocked === 0 ? best.form : byImportance(best.form)) this.put([text]);
  }

  private cost(form: Text[]) {
    const gone = new Set<number>();
    let blocked = 0;
    for (const text of form) {
      for (const owner of this.space.met(text.box)) {
        const code = Number(owner.split(" ")[1]);
        if (this.mayGo(owner, code)) gone.add(code);
        else blocked++;
      }
      if (!this.inside(text)) blocked++;
    }
    return { gone, blocked };
  }

  private inside({ box }: Text) {
    return box.x0 >= 0 && box.x1 <= this.scene.input.width;
  }

  /** Only a quiet siding gives way: not a walked one, nor one that can be walked now. */
  private mayGo(owner: string, code: number): boolean {
    if (!/^(side|stop|text) \d/.test(owner)) return false;
    const stand = this.scene.frame.stands.get(code);
    if (!stand || stand.track.length === 0) return false;
    const say = this.scene.saying(stand);
    return !say.walked && !say.ringed && !this.scene.walkedSide(code);
  }

  private tick(code: number) {
    const stand = this.scene.frame.stands.get(code);
    if (!stand || this.ticked.has(code)) return;
    this.ticked.add(code);
    for (const owner of ["side", "stop", "text"]) this.space.remove(`${owner} ${code}`);
    this.codeOf.delete(code);
    const left = this.texts.filter((text) => text.code !== code);
    this.texts.splice(0, this.texts.length, ...left);
    this.space.addLine(`tick ${code}`, this.scene.tickOf(stand), 6);
  }

  /** Puts a group of texts if all of it has room. */
  private put(group: Text[]): boolean {
    if (!group.every((text) => this.inside(text) && this.space.isFree(text.box))) return false;
    for (const text of group) {
      this.texts.push(text);
      this.space.addBox(`text ${text.code ?? ""}`, text.box);
    }
    return true;
  }

  private putFirst(groups: Text[][]): boolean {
    return groups.some((group) => this.put(group));
  }

  /** Puts the first group that has room; where none has, the one for which the fewest quiet sidings give way. */
  private putGivingWay(groups: Text[][]): Text[] | null {
    const free = groups.find((group) => this.put(group));
    if (free) return free;
    let best: { group: Text[]; gone: Set<number> } | null = null;
    for (const group of groups) {
      const { gone, blocked } = this.cost(group);
      if (blocked === 0 && (!best || gone.size < best.gone.size)) best = { group, gone };
    }
    if (!best) return null;
    for (const code of best.gone) this.tick(code);
    return this.put(best.group) ? best.group : null;
  }

  /** A request that was closed came to the spur from somewhere: along the ends row where that is free, else by a stub. */
  closing() {
    const { input, frame } = this.scene;
    const into = input.walked.findLast(
      (move) => spurOf(frame, move.to) !== null && frame.stands.get(move.from ?? -1)?.on !== "spur",
    );
    const spur = into ? spurOf(frame, into.to) : null;
    const from = into?.from == null ? undefined : frame.stands.get(into.from);
    if (!into || !spur || !from) return;
    const lane = endsLane(from, spur, this.space);
    const points = lane ? [...lane.points, spur.at] : [{ x: spur.at.x - 24, y: spur.at.y }, spur.at];
    const outlook = into.to === input.current ? this.scene.shape.step(into.to).outlook : null;
    this.closed.push({
      key: "closing",
      points,
      look: "walk",
      thick: 4,
      butt: false,
      own: false,
      outlook,
      edge: `${into.from}-${into.to}`,
      action: null,
    });
    this.space.addLine("closing", points, 4);
    if (lane) return;
    const words = input.words.cameFrom(from.code);
    this.putFirst([
      [lettered(input.measure, words, "tm", spur.at.x - 30, spur.at.y + 3.5, { anchor: "end", look: "wk" })],
      [lettered(input.measure, words, "tm", spur.at.x - 20, spur.at.y + 18, { anchor: "end", look: "wk" })],
    ]);
  }

  /** The person's own moves as lanes; one without a free way is told by a ring on its target alone. */
  lanes() {
    const { input, frame } = this.scene;
    const stand = input.current === null ? undefined : frame.stands.get(input.current);
    if (!stand) return;
    const own = input.possible.filter((move) => move.own);
    for (const to of new Set(own.map((move) => move.to))) {
      const events = own.filter((move) => move.to === to);
      const spur = spurOf(frame, to);
      const lane = to === stand.parent ? returnLane(stand) : spur ? endsLane(stand, spur, this.space) : null;
      if (!lane) continue;
      const but = new Set([`side ${stand.code}`, `stop ${stand.code}`, `stop ${to}`, "main", "loop"]);
      if (!this.space.lineIsFree(lane.points, 2, but)) continue;
      const action = events.find((event) => event.action !== null)?.action ?? null;
      this.drawnLanes.push({
        piece: {
          key: `lane ${to}`,
          points: lane.points,
          look: "can",
          thick: 2,
          butt: true,
          own: true,
          outlook: null,
          edge: null,
          action,
        },
        tip: lane.tip,
        angle: lane.angle,
      });
      this.space.addLine(`lane ${to}`, [...lane.points, lane.tip], 4);
      this.waitingLanes.push({ lane, events });
    }
  }

  private writeLanes() {
    for (const { lane, events } of this.waitingLanes) {
      const left = events.filter((event) => !this.told.has(`${event.event} ${event.to}`));
      for (const event of left) {
        const groups = lane.spots.map((spot) => [
          lettered(this.scene.input.measure, event.event, "ev", spot.x, spot.y, {
            anchor: spot.anchor,
            look: "own",
            code: event.to,
            action: event.action,
          }),
        ]);
        if (this.putFirst(groups)) this.told.add(`${event.event} ${event.to}`);
      }
    }
  }

  /**
   * The codes: those that must be there before anything else, stations first; the others when the current step and
   * its lanes have their room. A quiet siding without room for its code gives way.
   */
  codes(must: boolean) {
    const rank = (stand: Stand) => {
      if (stand.track.length === 0) return 0;
      const say = this.scene.saying(stand);
      return say.ringed ? 1 : say.walked ? 2 : 3;
    };
    for (const stand of [...this.stands].sort((a, b) => rank(a) - rank(b))) {
      if (stand.code === this.scene.input.current || this.ticked.has(stand.code)) continue;
      if (rank(stand) < 3 !== must) continue;
      const say = this.scene.saying(stand);
      const places = [false, true].map((tight) => [codeText(say, this.scene.input.measure, tight)]);
      const text = must ? this.putGivingWay(places)?.[0] : places.find((place) => this.put(place))?.[0];
      if (text) this.codeOf.set(stand.code, text);
      else if (this.mayGo(`side ${stand.code}`, stand.code)) this.tick(stand.code);
    }
  }

  /** The events of what is possible now, at their targets; own ones on their lanes where they have one. */
  events() {
    this.writeLanes();
    for (const stand of this.stands) {
      const events = this.scene.eventsFor(stand.code).filter((event) => !this.told.has(`${event.event} ${event.to}`));
      if (events.length === 0 || stand.code === this.scene.input.current) continue;
      const say = this.scene.saying(stand);
      const code = this.codeOf.get(stand.code) ?? codeText(say, this.scene.input.measure);
      const names = nameTexts(say, code, this.scene.input.measure);
      const placed = this.putGivingWay(eventTexts(say, code, names, events, this.scene.input.measure));
      if (placed && placed.length > 1) this.named.add(stand.code);
    }
  }

  walked() {
    for (const stand of this.stands) this.nameAndTime(stand, true);
  }

  quiet() {
    for (const stand of this.stands) this.nameAndTime(stand, false);
  }

  private nameAndTime(stand: Stand, walked: boolean) {
    const { input } = this.scene;
    const say: Saying = this.scene.saying(stand);
    const code = this.codeOf.get(stand.code);
    if (say.walked !== walked || stand.code === input.current || !code) return;
    if (!this.named.has(stand.code)) this.putFirst(nameTexts(say, code, input.measure));
    const onLine = stand.row === "main" || stand.row === "loop";
    if (walked && onLine && !say.final) this.putFirst(timeTexts(say, code, input.words, input.measure));
  }

  /** The count inside the loop. */
  rounds() {
    const { rounds, chevron, input } = this.scene;
    if (rounds.done === 0 || !chevron) return;
    const words = rounds.under ? input.words.rebaseNow(rounds.done) : input.words.rebases(rounds.done);
    const at = (dx: number, dy: number) => [
      lettered(input.measure, words, "cnt", chevron.at.x + dx, chevron.at.y + dy, {
        anchor: "middle" as const,
        look: "cnt",
      }),
    ];
    this.putFirst([at(0, 27), at(0, 20), at(-20, 27), at(20, 27), at(40, 27), at(0, -12)]);
  }
}

function byImportance(form: Text[]): Text[] {
  const rank = { nowcd: 0, now: 1 } as Record<string, number>;
  return [...form].sort((a, b) => (rank[a.font] ?? 2) - (rank[b.font] ?? 2));
}
