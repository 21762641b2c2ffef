import { createHash } from "node:crypto";

/** Pseudorandom numbers: the same seed gives the same numbers on every machine. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number;
  between(least: number, most: number): number;
  whole(least: number, most: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** One stream for each purpose, so that more stars, for example, do not move the clouds. */
export type RandomFor = (purpose: string) => Random;

/** Streams seeded with the prompt and the index of the image. */
export function seedRandom(prompt: string, index: number): RandomFor {
  return (purpose) => createRandom(JSON.stringify([prompt, index, purpose]));
}

function createRandom(seed: string): Random {
  const next = smallFastCounter(createHash("sha256").update(seed).digest());
  const between = (least: number, most: number): number => least + (most - least) * next();
  const whole = (least: number, most: number): number => Math.floor(between(least, most + 1));
  return {
    next,
    between,
    whole,
    pick: (choices) => choices[whole(0, choices.length - 1)] ?? choices[0],
  };
}

/** Chris Doty-Humphrey's sfc32 (https://pracrand.sourceforge.net), fast and good enough for images. */
function smallFastCounter(digest: Buffer): () => number {
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = digest.readInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
