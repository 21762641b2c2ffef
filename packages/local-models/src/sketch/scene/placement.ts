import type { Subject } from "../prompt/prompt-plan.js";

/** One motif at its spot: `x` is its middle, `bottom` where it stands. */
export interface Placement {
  readonly subject: Subject;
  readonly x: number;
  readonly bottom: number;
  readonly size: number;
  readonly tilt: number;
  readonly mirrored: boolean;
  readonly grounded: boolean;
}

/** A subject to place, and the one that sits on it. */
export interface Figure {
  readonly subject: Subject;
  readonly rider?: Subject;
}
