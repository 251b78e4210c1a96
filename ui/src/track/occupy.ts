import type { Stand } from "./frame";
import { Space } from "./geometry";
import type { Scene } from "./scene";
import { MAIN_Y, START_X } from "./table";
import type { Box, Head } from "./types";
import type { WalkedTrack } from "./walk";

const around = (stand: Stand, rx: number, ry = rx): Box => ({
  x0: stand.at.x - rx,
  x1: stand.at.x + rx,
  y0: stand.at.y - ry,
  y1: stand.at.y + ry,
});

/** The room a mark takes: a lamp, a ring, a station or a stop. */
export function markBox(scene: Scene, stand: Stand): Box {
  const ringed = scene.eventsFor(stand.code).length > 0;
  if (stand.code === scene.input.current) return around(stand, 14);
  if (stand.code === scene.shape.main.at(-1)) {
    const box = around(stand, 2, 10);
    return { ...box, x1: stand.at.x + 7 };
  }
  if (stand.sort === "main" || stand.sort === "loop") return around(stand, ringed ? 11 : 7.5);
  if (stand.sort === "spur") return around(stand, ringed ? 9.5 : 6);
  if (ringed) return around(stand, 9);
  return stand.sort === "end" ? around(stand, 2, 7) : around(stand, stand.sort === "unknown" ? 6.5 : 4.5);
}

/** Everything that is drawn before the texts, each under the name of its owner. */
export function occupy(scene: Scene, heads: readonly Head[], walked: WalkedTrack): Space {
  const space = new Space();
  const { frame } = scene;
  space.addLine(
    "main",
    [
      { x: START_X, y: MAIN_Y },
      { x: frame.endX, y: MAIN_Y },
    ],
    5,
  );
  space.addLine("loop", frame.loop, 4);
  for (const stand of frame.stands.values()) {
    const { code } = stand;
    if (stand.track.length > 1) space.addLine(`side ${code}`, stand.track, scene.walkedSide(code) ? 5 : 2);
    const dropped = walked.drops.has(code) || scene.dashed.has(code);
    if (stand.drop && dropped) {
      space.addLine(`drop ${code}`, [stand.drop, { x: stand.drop.x, y: MAIN_Y }], walked.drops.has(code) ? 5 : 2);
    }
    space.addBox(`stop ${code}`, markBox(scene, stand));
  }
  for (const head of heads) {
    space.addLine(
      "heads",
      [
        { x: head.x0, y: 21 },
        { x: head.x1, y: 21 },
      ],
      3,
    );
    for (const text of head.texts) space.addBox("heads", text.box);
  }
  return space;
}
