import { cosineAt, type Similarity } from "./similarity.js";

/** Another text, and how similar it is. */
export interface Neighbour {
  readonly index: number;
  readonly cosine: number;
}

/** The most similar texts of one text, the nearest first. */
export function neighboursOf(similarity: Similarity, of: number, count: number): Neighbour[] {
  return Array.from({ length: similarity.size }, (_, index) => ({
    index,
    cosine: cosineAt(similarity, of, index),
  }))
    .filter(({ index }) => index !== of)
    .sort((one, other) => other.cosine - one.cosine || one.index - other.index)
    .slice(0, count);
}

export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly cosine: number;
}

/** The most similar pairs of all texts. Texts that mean the same, or are the same, come first. */
export function nearestPairs(similarity: Similarity, count: number): Pair[] {
  const pairs: Pair[] = [];
  for (let second = 1; second < similarity.size; second++)
    for (let first = 0; first < second; first++) {
      const cosine = cosineAt(similarity, second, first);
      if (pairs.length >= count && cosine <= (pairs.at(-1)?.cosine ?? 1)) continue;
      const place = pairs.findIndex((pair) => pair.cosine < cosine);
      pairs.splice(place === -1 ? pairs.length : place, 0, { first, second, cosine });
      if (pairs.length > count) pairs.pop();
    }
  return pairs;
}

/** An order in which similar texts are beside each other: from each text to the nearest that is left. */
export function groupedOrder(similarity: Similarity): number[] {
  const left = new Set(Array.from({ length: similarity.size }, (_, index) => index));
  const order: number[] = [];
  let current = 0;
  while (left.size > 0) {
    left.delete(current);
    order.push(current);
    let nearest = -1;
    for (const candidate of left)
      if (nearest === -1 || cosineAt(similarity, current, candidate) > cosineAt(similarity, current, nearest))
        nearest = candidate;
    current = nearest;
  }
  return order;
}
