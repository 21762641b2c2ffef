import type { Subject } from "../prompt/prompt-plan.js";
import type { Random } from "../random.js";
import type { Stage } from "./stage.js";

const sizeFactors = { small: 0.62, large: 1.3 } as const;

/** The size, changed as the prompt says. */
export function sized(subject: Subject, size: number): number {
  return subject.size === undefined ? size : size * sizeFactors[subject.size];
}

/** The small differences that keep repeated motifs from looking stamped. */
export function vary(random: Random, stage: Stage): { tilt: number; mirrored: boolean } {
  return {
    tilt: stage.floats ? random.between(-9, 9) : random.between(-2, 2),
    mirrored: random.next() < 0.5,
  };
}
