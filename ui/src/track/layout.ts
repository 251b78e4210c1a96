import { shapeOf } from "./chart";
import { frameOf } from "./frame";
import { headsOf } from "./heads";
import { networkOf } from "./network";
import { occupy } from "./occupy";
import { wayFinder } from "./route";
import { sceneOf } from "./scene";
import { HEIGHT, MAIN_Y, START_X } from "./table";
import type { Piece, Plan, PlanInput } from "./types";
import { walkedTrack } from "./walk";
import { write } from "./writing";

/** Lays out the track plan of one request for a width: the same input gives the same plan, nothing is placed by hand. */
export function layOut(input: PlanInput): Plan {
  const shape = shapeOf(input.chart, input.order);
  const before = frameOf(shape, input.width, null, input.current);
  const frame = frameOf(shape, input.width, laneStation(input, before), input.current);
  const stretches = networkOf(shape, frame);
  const walked = walkedTrack(input.walked, shape, wayFinder(frame, stretches), frame);
  const scene = sceneOf(input, shape, frame, walked);
  const heads = headsOf(input, shape, frame, scene.rounds.done);
  const space = occupy(scene, heads, walked);
  const { texts, ticked, lanes, closing } = write(scene, space);

  const shown = [...frame.stands.values()];
  const quiet: Piece[] = [];
  for (const stand of shown) {
    if (stand.track.length < 2 || scene.walkedSide(stand.code) || scene.dashed.has(stand.code)) continue;
    const points = ticked.has(stand.code) ? scene.tickOf(stand) : stand.track;
    quiet.push(track(`side ${stand.code}`, points, "side", 2));
  }
  if (frame.loop.length > 0) quiet.push(track("loop", frame.loop, "loop", 4));
  quiet.push(
    track(
      "main",
      [
        { x: START_X, y: MAIN_Y },
        { x: frame.endX, y: MAIN_Y },
      ],
      "main",
      5,
    ),
  );
  return {
    width: input.width,
    height: HEIGHT,
    heads,
    quiet,
    walked: [...scene.drawnWalk(), ...closing],
    possible: [...scene.dashedTrack(), ...lanes.map((lane) => lane.piece)],
    arrows: lanes.map((lane) => ({ at: lane.tip, angle: lane.angle, action: lane.piece.action })),
    chevron: scene.chevron,
    nodes: shown.map((stand) => scene.nodeOf(stand, ticked.has(stand.code))),
    texts,
  };
}

/** The station that one of the person's own moves leads back to along the current siding. */
function laneStation(input: PlanInput, frame: ReturnType<typeof frameOf>): number | null {
  const stand = input.current === null ? undefined : frame.stands.get(input.current);
  if (stand?.on !== "main" || stand.sort !== "failed") return null;
  return input.possible.some((move) => move.own && move.to === stand.parent) ? stand.parent : null;
}

function track(key: string, points: Piece["points"], look: Piece["look"], thick: number): Piece {
  return { key, points, look, thick, butt: false, own: false, outlook: null, edge: null, action: null };
}
