import { mix, toHex, toHsl } from "../colour.js";
import type { Light, Place } from "../prompt/prompt-plan.js";
import type { Random } from "../random.js";

export interface Palette {
  /** From the top down to the horizon. */
  readonly sky: readonly [string, string, string];
  /** From the horizon down to the viewer. */
  readonly ground: readonly [string, string, string];
  /** The dominant hue of the image. */
  readonly hue: number;
  readonly accents: readonly [string, string, string, string];
}

interface PaletteChoice {
  readonly place: Place;
  readonly light: Light;
  /** The colours that the prompt gives to the whole image. */
  readonly colours: readonly string[];
}

const skies: Readonly<Record<Light, Palette["sky"]>> = {
  day: ["#4fb0f2", "#98d8fa", "#e9f8fd"],
  dawn: ["#7f9be3", "#f3b6cc", "#ffe6c4"],
  sunset: ["#43307f", "#e0627f", "#ffc274"],
  night: ["#0c1440", "#232c73", "#4b4aa0"],
  storm: ["#48566e", "#7b8aa1", "#b9c4d1"],
};

/** The colour that the light casts on the ground, and its share. */
const casts: Readonly<Record<Light, readonly [string, number]>> = {
  day: ["#ffffff", 0],
  dawn: ["#f0a9b8", 0.22],
  sunset: ["#5a2a5e", 0.4],
  night: ["#141b4d", 0.6],
  storm: ["#46536a", 0.35],
};

const grounds: Readonly<Record<Place, Palette["ground"]>> = {
  abstract: ["#c9b8f0", "#a58fe0", "#7f6bc8"],
  beach: ["#2fa9d6", "#5cc8e3", "#f5dca8"],
  city: ["#8fa3bd", "#6b7f9e", "#555d73"],
  desert: ["#f0c27f", "#e6ac62", "#d9954b"],
  forest: ["#5fa36a", "#3f8a57", "#2c7048"],
  lake: ["#7fc08a", "#4fb3dc", "#3a98cb"],
  meadow: ["#a8dc84", "#7fca6a", "#57b357"],
  mountains: ["#8fa8c9", "#86c47a", "#5cab5c"],
  room: ["#f3e3d3", "#d9a877", "#c48f5f"],
  sea: ["#3fa9dd", "#2b8fcb", "#1c74b3"],
  sky: ["#ffffff", "#f2fafe", "#dff2fb"],
  snow: ["#e4eff9", "#f2f8fd", "#ffffff"],
  space: ["#2b2566", "#3c2f7d", "#52409a"],
  studio: ["#ffffff", "#f6efe6", "#eadfd2"],
  underwater: ["#1f8fb8", "#e3cf9b", "#d3b87c"],
};

const placeSkies: Partial<Readonly<Record<Place, Palette["sky"]>>> = {
  space: ["#070a24", "#16164a", "#33246b"],
  underwater: ["#4fd0e3", "#1c9ac7", "#0f5f9c"],
};

export function choosePalette({ place, light, colours }: PaletteChoice, random: Random): Palette {
  const tint = colours[0];
  const hue = tint === undefined ? random.between(0, 360) : toHsl(tint).hue;
  const [cast, share] = casts[light];
  const sky = hasOwnHue(place) ? pastelSky(hue, light) : (placeSkies[place] ?? skies[light]);
  const shift = toHex({ hue, saturation: 0.6, lightness: 0.55 });
  return {
    sky: each(sky, (colour) => (tint === undefined ? mix(colour, shift, 0.05) : mix(colour, tint, 0.5))),
    ground: each(grounds[place], (colour) => {
      const lit = place === "underwater" || place === "space" ? colour : mix(colour, cast, share);
      return tint === undefined ? mix(lit, shift, 0.04) : mix(lit, tint, 0.22);
    }),
    hue,
    accents: accents(hue, colours),
  };
}

/** Without a landscape, the colours follow from the seed of the prompt. */
function hasOwnHue(place: Place): boolean {
  return place === "studio" || place === "abstract";
}

function pastelSky(hue: number, light: Light): Palette["sky"] {
  const dark = light === "night";
  const shade = (step: number, lightness: number): string =>
    toHex({ hue: hue + step * 22, saturation: dark ? 0.5 : 0.75, lightness });
  return dark
    ? [shade(0, 0.16), shade(1, 0.24), shade(2, 0.34)]
    : [shade(0, 0.72), shade(1, 0.83), shade(2, 0.93)];
}

function accents(hue: number, colours: readonly string[]): Palette["accents"] {
  const made = [0, 40, 190, 300].map((turn) => toHex({ hue: hue + turn, saturation: 0.72, lightness: 0.62 }));
  const [first = "#ff8fa3", second = "#ffd166", third = "#6ec6ff", fourth = "#b9a3ec"] = [
    ...colours,
    ...made,
  ];
  return [first, second, third, fourth];
}

function each(
  [first, second, third]: readonly [string, string, string],
  change: (colour: string) => string,
): [string, string, string] {
  return [change(first), change(second), change(third)];
}
