import { onTestFailed } from "vitest";

/** A source of chance that can be replayed: the same seed gives the same choices. */
export interface Random {
  readonly seed: number;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  bytes(count: number): Buffer;
}

/**
 * Mulberry32, to be created in a test. Every run makes the same choices, unless `TEST_SEED` in the environment says
 * otherwise. A test that fails prints the seed that replays it.
 */
export function createRandom(seed = Number(process.env.TEST_SEED ?? 20_260_101)): Random {
  onTestFailed(() => console.error(`Replay this test with TEST_SEED=${seed}.`));
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
    shuffle: (list) =>
      list
        .map((each) => ({ each, place: below(2 ** 32) }))
        .sort((left, right) => left.place - right.place)
        .map(({ each }) => each),
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
