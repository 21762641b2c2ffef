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

/** What a plural without a number is taken to mean. */
export const pluralCount = 3;

/** A crowd larger than this would only be dots, so the picture shows this many. */
export const countMax = 24;

/** The count a word stands for; years and resolutions are not counts. */
export function readCount(word: string): number | undefined {
  const count = /^\d{1,2}$/.test(word) ? Number(word) : named[word];
  return count === undefined || count === 0 ? undefined : Math.min(count, countMax);
}
