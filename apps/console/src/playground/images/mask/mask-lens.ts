import type { Mask } from "./mask-of.js";

/** The changed share of an image, on both sides of a mask. Each from 0 to 1. */
export interface Changes {
  readonly inside: number;
  readonly outside: number;
}

/** One byte a pixel: 1 where two images differ. */
export type ChangeMap = Uint8Array<ArrayBuffer>;

/** A smaller step between two channel values comes from image compression. */
const stepMin = 9;

/**
 * Compares two images of one size, pixel by pixel.
 *
 * @param before Four bytes a pixel, as a canvas gives them.
 */
export function changeMapOf(before: Uint8ClampedArray, after: Uint8ClampedArray): ChangeMap {
  const map = new Uint8Array(before.length / 4);
  for (let at = 0; at < map.length; at++) map[at] = differs(before, after, at * 4) ? 1 : 0;
  return map;
}

export function changesOf(map: ChangeMap, mask: Mask): Changes {
  const changed = [0, 0];
  const counted = [0, 0];
  for (const [at, side] of mask.entries()) {
    counted[side] = (counted[side] ?? 0) + 1;
    changed[side] = (changed[side] ?? 0) + (map[at] ?? 0);
  }
  const share = (side: 0 | 1) => (changed[side] ?? 0) / Math.max(1, counted[side] ?? 0);
  return { inside: share(1), outside: share(0) };
}

/** Blue inside the mask, orange outside: colour-blind people can distinguish these two. */
const tints = { inside: [0, 114, 178, 255], outside: [230, 97, 0, 255] } as const;

/** The pixels of a veil over the result: tinted where it changed, by the side of the mask. */
export function tintChanges(map: ChangeMap, mask: Mask): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(map.length * 4);
  for (const [at, isChanged] of map.entries())
    if (isChanged === 1) pixels.set(mask[at] === 1 ? tints.inside : tints.outside, at * 4);
  return pixels;
}

function differs(before: Uint8ClampedArray, after: Uint8ClampedArray, at: number): boolean {
  for (let channel = 0; channel < 4; channel++) {
    if (Math.abs((before[at + channel] ?? 0) - (after[at + channel] ?? 0)) >= stepMin) return true;
  }
  return false;
}
