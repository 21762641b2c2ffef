/** Colours in the style of the motifs: clear and a little warm. */
export const colourWords: ReadonlyMap<string, string> = new Map([
  ["red", "#e8384f"],
  ["crimson", "#c2185b"],
  ["scarlet", "#e5281f"],
  ["orange", "#ff8a2b"],
  ["amber", "#ffb02e"],
  ["yellow", "#fcd53f"],
  ["gold", "#e3a92b"],
  ["golden", "#e3a92b"],
  ["lime", "#a3d936"],
  ["green", "#2fa84f"],
  ["emerald", "#12a06a"],
  ["mint", "#8fdcc0"],
  ["teal", "#14a3a3"],
  ["turquoise", "#2cc4c4"],
  ["cyan", "#25c0e0"],
  ["blue", "#2f7de1"],
  ["azure", "#3f9cf5"],
  ["navy", "#24397a"],
  ["indigo", "#4b45b8"],
  ["purple", "#8d4fd6"],
  ["violet", "#8d4fd6"],
  ["lavender", "#b9a3ec"],
  ["magenta", "#d8359f"],
  ["pink", "#f97fb0"],
  ["peach", "#ffb48f"],
  ["coral", "#ff7a66"],
  ["brown", "#8a5a3b"],
  ["beige", "#e3cfae"],
  ["black", "#2d2b36"],
  ["gray", "#8d95a3"],
  ["grey", "#8d95a3"],
  ["silver", "#b8c0cc"],
  ["white", "#f3f4f8"],
]);

/** Colour words that also name a motif. They are colours only before a subject. */
export const colourOrThing: ReadonlySet<string> = new Set(["orange", "peach", "lime", "coral"]);

const named: Readonly<Record<string, number>> = {
  one: 1,
  single: 1,
  lone: 1,
  two: 2,
  pair: 2,
  couple: 2,
  three: 3,
  trio: 3,
  few: 3,
  four: 4,
  five: 5,
  several: 5,
  six: 6,
  group: 6,
  seven: 7,
  many: 8,
  eight: 8,
  herd: 8,
  flock: 9,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  dozen: 12,
};

/** The count of a plural without a number. */
export const pluralCount = 3;

/** In a larger crowd the motifs would be dots. */
const countMax = 24;

/** The count that a word means. Years and resolutions are not counts. */
export function readCount(word: string): number | undefined {
  const count = /^\d{1,2}$/.test(word) ? Number(word) : named[word];
  return count === undefined || count === 0 ? undefined : Math.min(count, countMax);
}
