import { zoneOf } from "../motifs/motif-places.js";
import type { Subject } from "../prompt/prompt-plan.js";
import type { Random } from "../random.js";
import { placeRows } from "./place-rows.js";
import { type Figure, type Placement, sized, vary } from "./placement.js";
import { lampShare } from "./sky.js";
import type { Stage } from "./stage.js";

/** Places every subject. The list is in drawing order, from back to front. */
export function placeSubjects(stage: Stage, subjects: readonly Subject[]): Placement[] {
  const random = stage.random("layout");
  const figures = seat(subjects).flatMap((figure) =>
    Array.from({ length: figure.subject.count }, () => figure),
  );
  const inZone = (zone: string): Figure[] => figures.filter(({ subject }) => zoneOf(subject.motif) === zone);
  const [front, back, sky] = [inZone("front"), inZone("back"), inZone("sky")];
  // In space and under water there is no ground, so all subjects are placed together.
  if (stage.floats) return placeRows(stage, [...front, ...back, ...sky], random);
  if (front.length > 0) {
    const behind = placeBack(stage, back, { random, middleFree: front.length % 2 === 0 });
    return [...behind, ...placeSky(stage, sky, random), ...placeRows(stage, front, random)];
  }
  if (back.length > 0) return [...placeSky(stage, sky, random), ...placeRows(stage, back, random)];
  return placeRows({ ...stage, floats: true, feet: stage.height * 0.66 }, sky, random);
}

/** Joins riders with their mounts. Only single subjects ride. */
function seat(subjects: readonly Subject[]): Figure[] {
  const single = (motif: string | undefined): Subject | undefined =>
    subjects.find(
      (subject) => subject.motif === motif && subject.count === 1 && zoneOf(subject.motif) === "front",
    );
  const riders = subjects.filter(
    (subject) =>
      subject.on !== undefined && single(subject.motif) !== undefined && single(subject.on) !== undefined,
  );
  return subjects
    .filter((subject) => !riders.includes(subject))
    .map((subject) => {
      const rider = riders.find(({ on }) => on === subject.motif);
      return rider === undefined ? { subject } : { subject, rider };
    });
}

interface Gaps {
  readonly random: Random;
  /** An even row in front leaves a gap in the middle. */
  readonly middleFree: boolean;
}

/** Houses and trees: behind the others, where they are least hidden. */
function placeBack(stage: Stage, figures: readonly Figure[], { random, middleFree }: Gaps): Placement[] {
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

/** Subjects in the air: above the others, and away from the middle while there is space. */
function placeSky(stage: Stage, figures: readonly Figure[], random: Random): Placement[] {
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

/** Starts on the side away from the sun or moon. */
function skySpot(position: number, lamp: number): number {
  const spots = [0.84, 0.56, 0.7, 0.42, 0.94, 0.28, 0.08];
  const spot = spots[position % spots.length] ?? 0.5;
  return lamp < 0.5 ? spot : 1 - spot;
}
