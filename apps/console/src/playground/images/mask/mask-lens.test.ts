import { expect, test } from "vitest";
import { changeMapOf, changesOf, tintChanges } from "./mask-lens.js";

const before = Uint8ClampedArray.from([10, 10, 10, 255, 10, 10, 10, 255, 10, 10, 10, 255, 10, 10, 10, 255]);
const after = Uint8ClampedArray.from([90, 10, 10, 255, 10, 10, 10, 255, 15, 10, 10, 255, 10, 10, 40, 255]);
const mask = Uint8Array.from([1, 1, 0, 0]);

test("changes are counted on both sides of the mask, and small steps are not", () => {
  const map = changeMapOf(before, after);

  expect([...map]).toEqual([1, 0, 0, 1]);
  expect(changesOf(map, mask)).toEqual({ inside: 0.5, outside: 0.5 });
});

test("changed pixels are tinted by the side of the mask, and the rest is clear", () => {
  const pixels = tintChanges(changeMapOf(before, after), mask);

  const [inside, same, alsoSame, outside] = [0, 4, 8, 12].map((at) => [...pixels.subarray(at, at + 4)]);
  expect([same, alsoSame]).toEqual([
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ]);
  expect(inside?.at(3)).toBe(255);
  expect(outside?.at(3)).toBe(255);
  expect(inside).not.toEqual(outside);
});

test("a mask that covers nothing, or all, has a figure", () => {
  const pixels = Uint8ClampedArray.from([1, 2, 3, 255]);
  const map = changeMapOf(pixels, pixels);

  expect(changesOf(map, Uint8Array.from([0]))).toEqual({ inside: 0, outside: 0 });
  expect(changesOf(map, Uint8Array.from([1]))).toEqual({ inside: 0, outside: 0 });
});
