import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BufferPool, pooledBytes } from "./buffer-pool.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sizesOf = (slabs: readonly ArrayBuffer[]) => slabs.map(({ byteLength }) => byteLength);

/** Takes so many that only what was given back can be among them, and says how many that was. */
function countIdle(slabs: BufferPool, max = 100): number {
  const mark = 7;
  const taken = Array.from({ length: max }, () => new Uint8Array(slabs.take()));
  return taken.filter(([first]) => first === mark).length;
}

function takeMarked(slabs: BufferPool, count: number): ArrayBuffer[] {
  return Array.from({ length: count }, () => {
    const slab = slabs.take();
    new Uint8Array(slab)[0] = 7;
    return slab;
  });
}

test("a slab that was given back is used again, and whoever had it finds it empty", () => {
  const slabs = new BufferPool();
  const first = takeMarked(slabs, 2);

  slabs.release(first);
  const second = slabs.take();

  expect(sizesOf(first)).toEqual([0, 0]);
  expect(second.byteLength).toBe(pooledBytes);
  expect(new Uint8Array(second)[0]).toBe(7);
});

test("64 lie ready, and what is above is freed", () => {
  const slabs = new BufferPool();
  const taken = takeMarked(slabs, 70);

  slabs.release(taken.slice(0, 40));
  slabs.release(taken.slice(40));

  expect(new Set(sizesOf(taken))).toEqual(new Set([0]));
  expect(countIdle(slabs)).toBe(64);
});

test("a minute after the last of them was needed all are freed", () => {
  const slabs = new BufferPool();
  slabs.release(takeMarked(slabs, 3));

  vi.advanceTimersByTime(40_000);
  slabs.take();
  vi.advanceTimersByTime(59_000);
  const before = countIdle(slabs, 1);
  vi.advanceTimersByTime(61_000);
  const after = countIdle(slabs);

  expect(before).toBe(1);
  expect(after).toBe(0);
});

test("also after those that were used for long", () => {
  const slabs = new BufferPool();
  const taken = takeMarked(slabs, 2);
  slabs.release(taken.slice(0, 1));

  vi.advanceTimersByTime(59_000);
  slabs.release(taken.slice(1));
  vi.advanceTimersByTime(59_000);

  expect(countIdle(slabs)).toBe(2);
});

test("one that is given back twice is there once", () => {
  const slabs = new BufferPool();
  const taken = takeMarked(slabs, 1);

  slabs.release(taken);
  slabs.release(taken);

  expect(sizesOf([slabs.take(), slabs.take()])).toEqual([pooledBytes, pooledBytes]);
});
