/** A source of chance that can be repeated: the same seed gives the same requests. */
export interface Random {
  readonly seed: number;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** Mulberry32. `MALFORMED_SEED` in the environment repeats a run that failed, or tries another. */
export function createRandom(seed = Number(process.env.MALFORMED_SEED ?? 20_260_101)): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    seed,
    below,
    pick: (list) => list[below(list.length)]!,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
