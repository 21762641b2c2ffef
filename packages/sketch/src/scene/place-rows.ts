import type { Random } from "../random.js";
import { type Figure, type Placement, sized, vary } from "./placement.js";
import type { Stage } from "./stage.js";

/** The share of a floating subject that is under water. */
const draught = 0.2;
const flatMounts: ReadonlySet<string> = new Set([
  "skateboard",
  "sled",
  "rock",
  "chair",
  "bed",
  "couch-and-lamp",
  "kick-scooter",
]);

/** Places figures in rows: the first nearest the middle, later rows smaller and farther away. */
export function placeRows(stage: Stage, figures: readonly Figure[], random: Random): Placement[] {
  if (figures.length === 0) return [];
  const perRow = Math.max(1, Math.round(4 * Math.sqrt(stage.width / 1000)));
  const rows = Math.ceil(figures.length / perRow);
  const across = Math.ceil(figures.length / rows);
  const ridden = figures.some(({ rider }) => rider !== undefined);
  const room = {
    wide: (stage.width * 0.98) / (across * 0.88 + 0.12),
    high: (stage.feet * 0.86) / (1 + (rows - 1) * 0.4),
  };
  const size = Math.min(
    across === 1 && stage.height > 1300 ? 720 : 560,
    room.wide,
    ridden ? room.high / 1.25 : room.high,
  );
  const rise = Math.min(size * 0.42, (stage.feet * 0.6) / rows);
  const centre = stage.floats
    ? ((rows - 1) * rise) / 2 + size * (ridden ? 0.7 : 0.5) - stage.height * 0.26
    : 0;
  const placed = Array.from({ length: rows }, (_, row) => {
    const members = figures.slice(row * across, (row + 1) * across);
    // Rows are offset: otherwise the front row would hide the others.
    const middle = stage.width / 2 + (rows > 1 ? size * (row % 2 === 0 ? -0.18 : 0.18) : 0);
    const bottom = stage.feet - row * rise + centre;
    return placeRow(stage, members, {
      middle,
      bottom,
      size: size * (stage.floats ? 1 : 1 - row * 0.13),
      random,
    });
  });
  return placed.reverse().flat();
}

interface Row {
  readonly middle: number;
  readonly bottom: number;
  readonly size: number;
  readonly random: Random;
}

function placeRow(
  stage: Stage,
  figures: readonly Figure[],
  { middle, bottom, size, random }: Row,
): Placement[] {
  const step = Math.min(
    size * 1.04,
    (stage.width * (figures.length > 3 ? 0.94 : 0.98) - size) / Math.max(1, figures.length - 1),
  );
  return figures.flatMap((figure, position) => {
    // Positions alternate: middle, right, left, right … An even row has no middle, so it is shifted by half a step.
    const side = Math.ceil(position / 2) * (position % 2 === 0 ? -1 : 1);
    const offset = figures.length % 2 === 0 ? side - 0.5 : side;
    const x = middle + offset * step + random.between(-0.03, 0.03) * size;
    const drift = stage.floats
      ? random.between(-0.14, 0.14) * size * (figures.length > 1 ? 1 : 0)
      : random.between(0, 14);
    return standAt(stage, figure, { x, bottom: bottom + drift, size: sized(figure.subject, size), random });
  });
}

/** The rider is drawn first, so that its mount hides its legs, unless the mount is flat. */
function standAt(
  stage: Stage,
  { subject, rider }: Figure,
  spot: Omit<Row, "middle"> & { x: number },
): Placement[] {
  const { x, size, random } = spot;
  const afloat = !stage.floats && (stage.place === "sea" || stage.place === "lake");
  const bottom = spot.bottom + (afloat ? size * draught : 0);
  const mount: Placement = { subject, x, bottom, size, ...vary(random, stage), grounded: !stage.floats };
  if (rider === undefined) return [mount];
  const seated = { x, bottom: bottom - size * 0.52, size: sized(rider, size * 0.68) };
  const seatedRider = { subject: rider, ...seated, ...vary(random, stage), grounded: false };
  return flatMounts.has(subject.motif) ? [mount, seatedRider] : [seatedRider, mount];
}
