import { recolour } from "../colour.js";
import type { MotifLibrary } from "../motifs/motif-library.js";
import type { Subject } from "../prompt/prompt-plan.js";
import type { Random } from "../random.js";
import type { Stage } from "./stage.js";
import { num } from "./svg.js";

/** A motif and its position: `x` is its centre, `bottom` where it stands. */
export interface Placement {
  readonly subject: Subject;
  readonly x: number;
  readonly bottom: number;
  readonly size: number;
  readonly tilt: number;
  readonly mirrored: boolean;
  readonly grounded: boolean;
}

/** A subject to place, and its rider if it has one. */
export interface Figure {
  readonly subject: Subject;
  readonly rider?: Subject;
}

/** The side of the square that motifs are drawn on. */
const motifSide = 32;

/** The SVG of the placed motifs. Each motif is defined once and then referenced. */
export function composePlacements(
  stage: Stage,
  placements: readonly Placement[],
  library: MotifLibrary,
): string {
  const kinds = new Map(placements.map(({ subject }) => [subject.motif, subject.colour]));
  const definitions = [...kinds].map(([name, colour]) => {
    const svg = library.motifs.get(name)?.svg ?? "";
    return `<g id="motif-${name}">${colour === undefined ? svg : recolour(svg, colour)}</g>`;
  });
  const shadows = placements
    .filter(({ grounded }) => grounded && stage.detail.shading)
    .map((placement) => shadow(stage, placement));
  return `<defs>${definitions.join("")}</defs>${shadows.join("")}${placements.map((placement) => figure(placement, library)).join("")}`;
}

function figure({ subject, x, bottom, size, tilt, mirrored }: Placement, library: MotifLibrary): string {
  const scale = size / motifSide;
  // Things may have writing on them, which must not be mirrored.
  const flip = mirrored && library.motifs.get(subject.motif)?.section !== "things" ? -1 : 1;
  const place = `translate(${num(x)} ${num(bottom - size / 2)}) rotate(${num(tilt)}) scale(${(flip * scale).toFixed(3)} ${scale.toFixed(3)})`;
  return `<use href="#motif-${subject.motif}" transform="${place} translate(${-motifSide / 2} ${-motifSide / 2})"/>`;
}

function shadow(stage: Stage, { x, bottom, size }: Placement): string {
  const afloat = stage.place === "sea" || stage.place === "lake";
  if (afloat) return "";
  return `<ellipse cx="${num(x)}" cy="${num(bottom - size * 0.045)}" rx="${num(size * 0.4)}" ry="${num(size * 0.065)}" fill="#10183c" opacity=".2"/>`;
}

const sizeFactors = { small: 0.62, large: 1.3 } as const;

/** The size, scaled as the prompt says. */
export function sized(subject: Subject, size: number): number {
  return subject.size === undefined ? size : size * sizeFactors[subject.size];
}

/** Small variations, so that repeated motifs do not look identical. */
export function vary(random: Random, stage: Stage): { tilt: number; mirrored: boolean } {
  return {
    tilt: stage.floats ? random.between(-9, 9) : random.between(-2, 2),
    mirrored: random.next() < 0.5,
  };
}
