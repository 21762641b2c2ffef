import type { Light, Place, Weather } from "../prompt/prompt-plan.js";
import type { RandomFor } from "../random.js";
import type { Detail } from "./detail.js";
import type { Palette } from "./palette.js";

/** What every part of a scene is drawn on. Lengths are units: the shorter side is 1000 of them. */
export interface Stage {
  readonly width: number;
  readonly height: number;
  readonly place: Place;
  readonly light: Light;
  readonly weather?: Weather;
  /** Where sky and ground meet. */
  readonly horizon: number;
  /** Where the subjects in front stand. */
  readonly feet: number;
  /** Nothing to stand on: subjects hang in the middle and throw no shadow. */
  readonly floats: boolean;
  readonly palette: Palette;
  readonly detail: Detail;
  readonly random: RandomFor;
}
