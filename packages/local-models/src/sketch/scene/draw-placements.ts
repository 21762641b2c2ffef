import { recolour } from "../colour/recolour.js";
import type { MotifLibrary } from "../motifs/motif-library.js";
import type { Placement } from "./placement.js";
import type { Stage } from "./stage.js";
import { num } from "./svg.js";

/** The side of the square that motifs are drawn on. */
const motifSide = 32;

/** The placed motifs; each kind is written once and used as often as it appears. */
export function drawPlacements(
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
  // Things may carry writing, which must not be mirrored.
  const flip = mirrored && library.motifs.get(subject.motif)?.section !== "things" ? -1 : 1;
  const place = `translate(${num(x)} ${num(bottom - size / 2)}) rotate(${num(tilt)}) scale(${(flip * scale).toFixed(3)} ${scale.toFixed(3)})`;
  return `<use href="#motif-${subject.motif}" transform="${place} translate(${-motifSide / 2} ${-motifSide / 2})"/>`;
}

function shadow(stage: Stage, { x, bottom, size }: Placement): string {
  const afloat = stage.place === "sea" || stage.place === "lake";
  if (afloat) return "";
  return `<ellipse cx="${num(x)}" cy="${num(bottom - size * 0.045)}" rx="${num(size * 0.4)}" ry="${num(size * 0.065)}" fill="#10183c" opacity=".2"/>`;
}
