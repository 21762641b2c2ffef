export interface Place {
  readonly x: number;
  readonly y: number;
}

interface Room {
  readonly width: number;
  readonly height: number;
  /** The radius of a dot. */
  readonly radius: number;
}

const rounds = 20;
/** Dots may overlap by this much, in pixels. */
const overlapMax = 0.5;

/** Moves dots that lie on each other apart, so that each can be read. Those with enough room stay where they are. */
export function spreadDots(places: readonly Place[], { width, height, radius }: Room): Place[] {
  const xs = Float64Array.from(places, ({ x }) => x);
  const ys = Float64Array.from(places, ({ y }) => y);
  for (let round = 0; round < rounds; round++) {
    if (!pushApart(xs, ys, 2 * radius)) break;
    for (let at = 0; at < xs.length; at++) {
      xs[at] = Math.max(radius, Math.min(width - radius, xs[at] ?? 0));
      ys[at] = Math.max(radius, Math.min(height - radius, ys[at] ?? 0));
    }
  }
  return Array.from(xs, (x, at) => ({ x, y: ys[at] ?? 0 }));
}

/** Moves each pair that is too near to its distance. False if there was none. */
function pushApart(xs: Float64Array, ys: Float64Array, distance: number): boolean {
  const enough = distance - overlapMax;
  let hasMoved = false;
  for (let one = 1; one < xs.length; one++)
    for (let other = 0; other < one; other++) {
      const across = (xs[one] ?? 0) - (xs[other] ?? 0);
      // Nearly all pairs end here: the loop runs millions of times.
      if (across > enough || across < -enough) continue;
      const down = (ys[one] ?? 0) - (ys[other] ?? 0);
      const square = across * across + down * down;
      if (square > enough * enough) continue;
      hasMoved = true;
      const apart = Math.sqrt(square);
      const half = (distance - apart) / 2;
      // Dots at the same place part in directions of their numbers, so that the same texts always give the same map.
      const x = half * (apart > 0.01 ? across / apart : Math.cos(one));
      const y = half * (apart > 0.01 ? down / apart : Math.sin(one));
      xs[one] = (xs[one] ?? 0) + x;
      ys[one] = (ys[one] ?? 0) + y;
      xs[other] = (xs[other] ?? 0) - x;
      ys[other] = (ys[other] ?? 0) - y;
    }
  return hasMoved;
}
