import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BufferPool, CopiedChunks, freeArrayBuffers, pooledBytes } from "./buffer-pool.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The first byte of every buffer that a test has used. */
const mark = 7;

const sizesOf = (buffers: readonly ArrayBuffer[]) => buffers.map(({ byteLength }) => byteLength);

/** Takes buffers, and counts those that were used before. */
function countReused(pool: BufferPool, max = 100): number {
  const taken = Array.from({ length: max }, () => new Uint8Array(pool.take()));
  return taken.filter(([first]) => first === mark).length;
}

function takeMarked(pool: BufferPool, count: number): ArrayBuffer[] {
  return Array.from({ length: count }, () => {
    const buffer = pool.take();
    new Uint8Array(buffer)[0] = mark;
    return buffer;
  });
}

test("a released buffer is used again, and is empty for its former holder", () => {
  const pool = new BufferPool();
  const first = takeMarked(pool, 2);

  pool.release(first);
  const second = pool.take();

  expect(sizesOf(first)).toEqual([0, 0]);
  expect(second.byteLength).toBe(pooledBytes);
  expect(new Uint8Array(second)[0]).toBe(mark);
});

test("64 idle buffers are kept, and the others are freed when they were not used for a while", () => {
  const pool = new BufferPool();
  const taken = takeMarked(pool, 70);

  pool.release(taken.slice(0, 40));
  pool.release(taken.slice(40));
  vi.advanceTimersByTime(10_000);

  expect(new Set(sizesOf(taken))).toEqual(new Set([0]));
  expect(countReused(pool)).toBe(64);
});

test("as many idle buffers are kept as the pool needs again and again", () => {
  const pool = new BufferPool();
  pool.release(takeMarked(pool, 150));

  for (let round = 0; round < 4; round += 1) {
    const taken = Array.from({ length: 80 }, () => pool.take());
    vi.advanceTimersByTime(3000);
    pool.release(taken);
    vi.advanceTimersByTime(3000);
  }

  expect(countReused(pool, 150)).toBe(80);
});

test("idle buffers are freed half a minute after the last one was taken", () => {
  const pool = new BufferPool();
  pool.release(takeMarked(pool, 3));

  vi.advanceTimersByTime(20_000);
  pool.take();
  vi.advanceTimersByTime(29_000);
  const before = countReused(pool, 1);
  vi.advanceTimersByTime(31_000);
  const after = countReused(pool);

  expect(before).toBe(1);
  expect(after).toBe(0);
});

test("the time starts again when a buffer is released", () => {
  const pool = new BufferPool();
  const taken = takeMarked(pool, 2);
  pool.release(taken.slice(0, 1));

  vi.advanceTimersByTime(29_000);
  pool.release(taken.slice(1));
  vi.advanceTimersByTime(29_000);

  expect(countReused(pool)).toBe(2);
});

test("a buffer that is released twice is in the pool once", () => {
  const pool = new BufferPool();
  const taken = takeMarked(pool, 1);

  pool.release(taken);
  pool.release(taken);

  expect(sizesOf([pool.take(), pool.take()])).toEqual([pooledBytes, pooledBytes]);
});

test("the memory that Node cuts small buffers from is not freed", () => {
  const neighbour = Buffer.from("of another caller");

  freeArrayBuffers([Buffer.from("small").buffer]);

  expect([neighbour, Buffer.from("later")].map(String)).toEqual(["of another caller", "later"]);
});

test("copied chunks are freed a megabyte later", () => {
  const copied = new CopiedChunks();
  const buffers = Array.from({ length: 18 }, () => new ArrayBuffer(64 * 1024));

  for (const buffer of buffers) {
    copied.add(buffer);
    copied.add(buffer);
  }

  expect(buffers.map(({ byteLength }) => byteLength > 0)).toEqual([...new Array(16).fill(false), true, true]);
  expect(copied.buffers).toEqual(buffers.slice(16));
});
