import { markAsUntransferable } from "node:worker_threads";
import { expect, test } from "vitest";
import { BufferPool, pooledBytes } from "./buffer-pool.js";
import { ReplyBuffers } from "./response-buffers.js";

const chunkBytes = 64 * 1024;
/** So many chunks stay where they are. */
const staying = 4;

/** What a socket gives: each chunk in memory of its own, with its number in every byte. */
function chunkOf(number: number, bytes = chunkBytes): Buffer {
  return Buffer.from(new ArrayBuffer(bytes)).fill(number);
}

function chunksOf(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => chunkOf(index));
}

function keepAll(memory: ReplyBuffers, chunks: readonly Buffer[]): Buffer[] {
  return chunks.map((chunk) => memory.add(chunk));
}

function lengthsOf(chunks: readonly Buffer[]): number[] {
  return chunks.map(({ length }) => length);
}

const createMemory = () => new ReplyBuffers(new BufferPool());

test("a small answer stays where it is, and is not worth giving back", () => {
  const memory = createMemory();
  const chunks = chunksOf(staying);

  const kept = keepAll(memory, chunks);

  expect(kept.every((chunk, index) => chunk === chunks[index])).toBe(true);
  expect(memory.isLarge).toBe(false);
});

test("a large answer is copied to where there is room, byte for byte", () => {
  const memory = createMemory();
  const count = 3 * (pooledBytes / chunkBytes);

  const kept = keepAll(memory, chunksOf(count));

  expect(Buffer.concat(kept).equals(Buffer.concat(chunksOf(count)))).toBe(true);
  expect(memory.isLarge).toBe(true);
  expect(new Set(kept.map(({ buffer }) => buffer)).size).toBe(staying + 3);
});

test("the memory that chunks came in is freed while others still come", () => {
  const memory = createMemory();
  const chunks = chunksOf(40);

  keepAll(memory, chunks);

  expect(lengthsOf(chunks.slice(0, staying))).toEqual(new Array(staying).fill(chunkBytes));
  expect(lengthsOf(chunks.slice(staying, 36))).toEqual(new Array(32).fill(0));
  expect(lengthsOf(chunks.slice(36))).toEqual(new Array(4).fill(chunkBytes));
});

test("memory with more in it is not freed before another comes", () => {
  const memory = createMemory();
  const large = chunkOf(9, pooledBytes);
  const pieces = Array.from({ length: 8 }, (_, index) =>
    large.subarray((index * pooledBytes) / 8, ((index + 1) * pooledBytes) / 8),
  );

  keepAll(memory, chunksOf(staying));
  keepAll(memory, pieces);
  const before = large.length;
  memory.add(chunkOf(1));
  const after = large.length;

  expect([before, after]).toEqual([pooledBytes, 0]);
});

test("memory of which a part is used where it is stays", () => {
  const memory = createMemory();
  const first = chunkOf(1, 300_000);

  const stayed = memory.add(first.subarray(0, 200_000));
  memory.add(first.subarray(200_000));
  keepAll(memory, chunksOf(40));

  expect(stayed.equals(Buffer.alloc(200_000, 1))).toBe(true);
});

test("a chunk that is larger than a slab has memory of its own, which no other answer gets", () => {
  const slabs = new BufferPool();
  const memory = new ReplyBuffers(slabs);
  const large = chunkOf(2, 2 * pooledBytes);

  const kept = memory.add(large);
  memory.retain();
  memory.release();

  expect(kept.equals(Buffer.alloc(2 * pooledBytes, 2))).toBe(true);
  expect(slabs.take().byteLength).toBe(pooledBytes);
});

test("memory is given back by the last who holds it, and not before", () => {
  const memory = createMemory();
  const chunks = chunksOf(20);
  const kept = keepAll(memory, chunks);
  memory.retain();
  memory.retain();

  memory.release();
  const before = new Set(lengthsOf(kept));
  memory.release();
  const after = new Set(lengthsOf([...kept, ...chunks]));

  expect(before).toEqual(new Set([chunkBytes]));
  expect(after).toEqual(new Set([0]));
});

test("to let go once too often does nothing", () => {
  const slabs = new BufferPool();
  const memory = new ReplyBuffers(slabs);
  keepAll(memory, chunksOf(20));
  memory.retain();

  memory.release();
  memory.release();
  const next = new ReplyBuffers(slabs);

  expect(lengthsOf(keepAll(next, chunksOf(20)))).toEqual(new Array(20).fill(chunkBytes));
});

test("an empty chunk needs no room", () => {
  const memory = createMemory();

  expect(lengthsOf(keepAll(memory, [chunkOf(1, 2 * pooledBytes), chunkOf(0, 0)]))).toEqual([
    2 * pooledBytes,
    0,
  ]);
});

test("the next answer is in the memory of the last", () => {
  const slabs = new BufferPool();
  const first = new ReplyBuffers(slabs);
  keepAll(first, chunksOf(20));
  first.retain();

  first.release();
  const fresh = new Uint8Array(slabs.take());

  expect([...fresh.subarray(0, 2)]).toEqual([staying, staying]);
});

test("small memory is left alone: others may have something in it", () => {
  const memory = createMemory();
  const pooled = Buffer.from("pooled");
  const empty = chunkOf(0, 0);
  keepAll(memory, [pooled, empty, ...chunksOf(20), pooled, empty]);
  memory.retain();

  memory.release();

  expect(pooled.toString()).toBe("pooled");
  expect(() => new Uint8Array(8).set(empty)).not.toThrow();
});

test("memory that cannot be given back stays", () => {
  const memory = createMemory();
  const kept = chunkOf(1);
  markAsUntransferable(kept.buffer);
  keepAll(memory, [kept, ...chunksOf(20)]);
  memory.retain();

  memory.release();

  expect(kept.length).toBe(chunkBytes);
});
