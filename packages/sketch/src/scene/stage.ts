import type { MotifLibrary } from "../motifs/motif-library.js";
import { nativePlace } from "../motifs/motif-places.js";
import type { Light, Place, PromptPlan, Weather } from "../prompt/prompt-plan.js";
import { type RandomFor, seedRandom } from "../random.js";
import type { SketchOptions } from "../sketch-options.js";
import { choosePalette, type Palette } from "./palette.js";

/** Shared by all parts of a scene. Lengths are in units: the shorter side has 1000 of them. */
export interface Stage {
  readonly width: number;
  readonly height: number;
  readonly place: Place;
  readonly light: Light;
  readonly weather?: Weather;
  /** The line between sky and ground. */
  readonly horizon: number;
  /** The line on which the front subjects stand. */
  readonly feet: number;
  /** There is no ground: subjects float in the middle and cast no shadow. */
  readonly floats: boolean;
  readonly palette: Palette;
  readonly detail: Detail;
  readonly random: RandomFor;
}

type Look = Pick<SketchOptions, "prompt" | "index" | "quality" | "width" | "height">;

/** The horizon and the feet, as shares of the height. */
const levels: Readonly<Record<Place, readonly [horizon: number, feet: number]>> = {
  abstract: [0.9, 0.76],
  beach: [0.5, 0.84],
  city: [0.66, 0.87],
  desert: [0.6, 0.85],
  forest: [0.6, 0.86],
  lake: [0.54, 0.78],
  meadow: [0.6, 0.85],
  mountains: [0.6, 0.86],
  room: [0.64, 0.85],
  sea: [0.54, 0.78],
  sky: [1, 0.76],
  snow: [0.6, 0.86],
  space: [1, 0.76],
  studio: [0.9, 0.77],
  underwater: [1, 0.76],
};

const groundless: ReadonlySet<Place> = new Set(["abstract", "sky", "space", "underwater"]);

/** Decides everything that the prompt leaves open. */
export function setStage(plan: PromptPlan, look: Look, library: MotifLibrary): Stage {
  const random = seedRandom(look.prompt, look.index);
  const place = plan.place ?? defaultPlace(plan, library);
  const light = plan.light ?? "day";
  const short = Math.min(look.width, look.height);
  const height = (look.height / short) * 1000;
  const [horizon, feet] = levels[place];
  return {
    width: (look.width / short) * 1000,
    height,
    place,
    light,
    ...(plan.weather === undefined ? {} : { weather: plan.weather }),
    horizon: horizon * height,
    feet: feet * height,
    floats: groundless.has(place),
    palette: choosePalette({ place, light, colours: plan.colours }, random("palette")),
    detail: details[look.quality],
    random,
  };
}

/** The native place of the first subject. Without subjects: open land if the prompt names light or weather. */
function defaultPlace({ subjects, light, weather, unknown }: PromptPlan, library: MotifLibrary): Place {
  const first = subjects[0];
  const section = first === undefined ? undefined : library.motifs.get(first.motif)?.section;
  if (first !== undefined && section !== undefined) {
    const home = nativePlace(first.motif, section);
    // A studio has no night sky and no rain.
    return home === "studio" && light !== undefined ? "meadow" : home;
  }
  if (light !== undefined || weather !== undefined) return "mountains";
  return unknown.length > 0 ? "abstract" : "meadow";
}

/** The amount of detail drawn. */
interface Detail {
  /** Multiplies the number of stars, clouds, trees and the like. */
  readonly abundance: number;
  /** Draw shadows, soft light, grass and flowers. */
  readonly shading: boolean;
  /** Draw darker corners. */
  readonly finish: boolean;
}

const details: Readonly<Record<SketchOptions["quality"], Detail>> = {
  low: { abundance: 0.45, shading: false, finish: false },
  medium: { abundance: 1, shading: true, finish: false },
  high: { abundance: 1.6, shading: true, finish: true },
};
