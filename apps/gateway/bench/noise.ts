/** A stream of bytes that looks like noise and is the same in every run: a linear congruential generator. */
export function createNoise(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
}
