import { expect, test } from "vitest";
import { describeProof } from "./target-state.js";

const nowMs = 1_000_000_000;
const at = (secondsAgo: number) => nowMs / 1000 - secondsAgo;

test.each([
  ["healthy", at(60), undefined],
  ["healthy", at(7200), "Not proven since 992800 (2 h)."],
  ["unknown", at(60), "Not proven since 999940 (1 min)."],
  ["unknown", null, "Never proven: no success is known."],
  ["failing", at(7200), "Not proven since 992800 (2 h)."],
  [null, null, undefined],
] as const)("a %s target with its last success at %s", (state, proven_at, said) => {
  expect(describeProof({ state, proven_at }, nowMs, String)).toBe(said);
});
