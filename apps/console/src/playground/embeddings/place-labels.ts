const lineHeight = 16;
/** Minimum distance between the middle of a label and a point that it passes. */
const clear = 11;
/** The width of a letter, about. */
export const letterWidth = 6.6;
export const pointRadius = 5;

/** A point, and the label beside it: how many letters it has, and on which side it is. */
export interface Labelled {
  readonly x: number;
  readonly y: number;
  readonly isLeft: boolean;
  readonly length: number;
}

/** The height of each label: beside its point, off other points, or below the label that is there already. */
export function placeLabels(places: readonly Labelled[], width: number): number[] {
  const labels: number[] = [];
  const order = places.map((place, at) => ({ ...place, at })).sort((one, other) => one.y - other.y);
  const taken: { x: number; y: number }[] = [];
  for (const place of order) {
    let wanted = besidePoints(place, places) + 4;
    for (const label of taken) {
      const isBeside = Math.abs(label.x - place.x) < width / 2;
      if (isBeside && Math.abs(label.y - wanted) < lineHeight) wanted = label.y + lineHeight;
    }
    taken.push({ x: place.x, y: wanted });
    labels[place.at] = wanted;
  }
  return labels;
}

/** The height of a point, or a little above or below, where its label would lie on the nearest other point. */
function besidePoints({ x, y, isLeft, length }: Labelled, places: readonly Labelled[]): number {
  const covered = places
    .filter((other) => {
      const away = isLeft ? x - other.x : other.x - x;
      return away > 0 && away < length * letterWidth + 2 * pointRadius && Math.abs(other.y - y) < clear;
    })
    .sort((one, other) => Math.abs(one.y - y) - Math.abs(other.y - y))[0];
  if (covered === undefined) return y;
  return covered.y < y ? covered.y + clear : covered.y - clear;
}
