import type { Random } from "../random.js";
import type { Figure, Placement } from "./placement.js";
import { lampShare } from "./sky.js";
import type { Stage } from "./stage.js";
import { sized, vary } from "./variation.js";

interface Gaps {
  readonly random: Random;
  /** An even row in front leaves a gap in the middle. */
  readonly middleFree: boolean;
}

/** Houses and trees: behind everyone, where they are least hidden. */
export function placeBack(
  stage: Stage,
  figures: readonly Figure[],
  { random, middleFree }: Gaps,
): Placement[] {
  const spots = middleFree ? [0.5, 0.08, 0.92, 0.28, 0.72] : [0.2, 0.8, 0.5, 0.35, 0.65, 0.08, 0.92];
  const base = stage.horizon + (stage.feet - stage.horizon) * 0.35;
  const size = Math.min(430, stage.horizon * 0.75) * (figures.length > 3 ? 0.75 : 1);
  return figures.map(({ subject }, position) => ({
    subject,
    x: stage.width * ((spots[position % spots.length] ?? 0.5) + random.between(-0.03, 0.03)),
    bottom: base + random.between(-12, 18),
    size: sized(subject, size) * random.between(0.92, 1.05),
    ...vary(random, stage),
    tilt: 0,
    grounded: true,
  }));
}

/** Things in the air above the others, clear of the middle as long as there is space. */
export function placeSky(stage: Stage, figures: readonly Figure[], random: Random): Placement[] {
  const size = Math.min(figures.length > 2 ? 170 : 230, stage.horizon * 0.42);
  return figures.map(({ subject }, position) => ({
    subject,
    x: stage.width * (skySpot(position, lampShare(stage)) + random.between(-0.03, 0.03)),
    bottom: stage.horizon * (random.between(0.02, 0.1) + (position % 2) * 0.06) + sized(subject, size) * 1.1,
    size: sized(subject, size),
    ...vary(random, stage),
    tilt: random.between(-8, 8),
    grounded: false,
  }));
}

/** Spots begin on the side away from the sun or moon, and reach it last. */
function skySpot(position: number, lamp: number): number {
  const spots = [0.84, 0.56, 0.7, 0.42, 0.94, 0.28, 0.08];
  const spot = spots[position % spots.length] ?? 0.5;
  return lamp < 0.5 ? spot : 1 - spot;
}
