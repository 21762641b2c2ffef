import { zoneOf } from "../motifs/zones.js";
import type { Subject } from "../prompt/prompt-plan.js";
import { placeBack, placeSky } from "./place-around.js";
import { placeRows } from "./place-rows.js";
import type { Figure, Placement } from "./placement.js";
import type { Stage } from "./stage.js";

/** Finds a spot for every subject; the list is in drawing order, from the back to the front. */
export function placeSubjects(stage: Stage, subjects: readonly Subject[]): Placement[] {
  const random = stage.random("layout");
  const figures = seat(subjects).flatMap((figure) =>
    Array.from({ length: figure.subject.count }, () => figure),
  );
  const inZone = (zone: string): Figure[] => figures.filter(({ subject }) => zoneOf(subject.motif) === zone);
  const [front, back, sky] = [inZone("front"), inZone("back"), inZone("sky")];
  // In space and under water there is no ground to stand apart from: everything hangs together.
  if (stage.floats) return placeRows(stage, [...front, ...back, ...sky], random);
  if (front.length > 0) {
    const behind = placeBack(stage, back, { random, middleFree: front.length % 2 === 0 });
    return [...behind, ...placeSky(stage, sky, random), ...placeRows(stage, front, random)];
  }
  if (back.length > 0) return [...placeSky(stage, sky, random), ...placeRows(stage, back, random)];
  return placeRows({ ...stage, floats: true, feet: stage.height * 0.66 }, sky, random);
}

/** Joins riders with what they sit on; a crowd does not ride. */
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
