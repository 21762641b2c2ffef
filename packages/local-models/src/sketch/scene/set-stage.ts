import type { MotifLibrary } from "../motifs/motif-library.js";
import { nativePlace } from "../motifs/native-places.js";
import type { Place, PromptPlan } from "../prompt/prompt-plan.js";
import { seedRandom } from "../random.js";
import type { SketchOptions } from "../sketch-options.js";
import { details } from "./detail.js";
import { choosePalette } from "./palette.js";
import type { Stage } from "./stage.js";

type Look = Pick<SketchOptions, "prompt" | "index" | "quality" | "width" | "height">;

/** Where the ground begins and where subjects stand, as shares of the height; some places have neither. */
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

/** Settles what the prompt left open. */
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

/** Home of the first subject; without one, open land if the prompt speaks of light or weather. */
function defaultPlace({ subjects, light, weather, unknown }: PromptPlan, library: MotifLibrary): Place {
  const first = subjects[0];
  const section = first === undefined ? undefined : library.motifs.get(first.motif)?.section;
  if (first !== undefined && section !== undefined) {
    const home = nativePlace(first.motif, section);
    // A wall has no night sky and no rain.
    return home === "studio" && light !== undefined ? "meadow" : home;
  }
  if (light !== undefined || weather !== undefined) return "mountains";
  return unknown.length > 0 ? "abstract" : "meadow";
}
