import { markAsUntransferable } from "node:worker_threads";
import { expect, test } from "vitest";
import { BufferPool, pooledBytes } from "./buffer-pool.js";
import { ReplyBuffers } from "./reply-buffers.js";

const chunkBytes = 64 * 1024;
/** The first chunks of a reply are not copied. */
const uncopiedCount = 4;

/** A chunk as a socket reads it: in a separate array buffer, with its number in every byte. */
function chunkOf(number: number, bytes = chunkBytes): Buffer {
  return Buffer.from(new ArrayBuffer(bytes)).fill(number);
}

function chunksOf(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => chunkOf(index));
}

function addAll(reply: ReplyBuffers, chunks: readonly Buffer[]): Buffer[] {
  return chunks.map((chunk) => reply.add(chunk));
}

function lengthsOf(chunks: readonly Buffer[]): number[] {
  return chunks.map(({ length }) => length);
}

const createReply = () => new ReplyBuffers(new BufferPool());

test("the chunks of a small reply are not copied", () => {
  const reply = createReply();
  const chunks = chunksOf(uncopiedCount);

  const held = addAll(reply, chunks);

  expect(held.every((chunk, index) => chunk === chunks[index])).toBe(true);
});

test("the memory of small replies is freed in groups, once a megabyte is released", () => {
  const pool = new BufferPool();
  const chunks = chunksOf(40);

  for (const chunk of chunks) {
    const reply = new ReplyBuffers(pool);
    reply.add(chunk);
    reply.retain();
    reply.release();
  }

  const isFreed = chunks.map(({ length }) => length === 0);
  const perGroup = pooledBytes / chunkBytes;
  expect(isFreed).toEqual(chunks.map((_, index) => index < Math.floor(39 / perGroup) * perGroup));
});

test("a small reply that is still held keeps its memory while others are freed", () => {
  const pool = new BufferPool();
  const held = new ReplyBuffers(pool);
  const chunk = held.add(chunkOf(1));
  held.retain();
  held.retain();
  held.release();

  for (const other of chunksOf(80)) {
    const reply = new ReplyBuffers(pool);
    reply.add(other);
    reply.retain();
    reply.release();
  }

  expect(chunk.equals(Buffer.alloc(chunkBytes, 1))).toBe(true);
});

test.each([
  [16 * 1024 - 1, false],
  [16 * 1024, true],
])("a reply of %d bytes needs a release: %s", (bytes, needsRelease) => {
  const reply = createReply();

  reply.add(chunkOf(1, bytes));

  expect(reply.needsRelease).toBe(needsRelease);
});

test("a large reply is copied into pooled buffers, byte for byte", () => {
  const reply = createReply();
  const count = 3 * (pooledBytes / chunkBytes);

  const held = addAll(reply, chunksOf(count));

  expect(Buffer.concat(held).equals(Buffer.concat(chunksOf(count)))).toBe(true);
  expect(new Set(held.map(({ buffer }) => buffer)).size).toBe(uncopiedCount + 3);
});

test("the memory of copied chunks is freed while other chunks arrive", () => {
  const reply = createReply();
  const chunks = chunksOf(40);

  addAll(reply, chunks);

  expect(lengthsOf(chunks.slice(0, uncopiedCount))).toEqual(new Array(uncopiedCount).fill(chunkBytes));
  expect(lengthsOf(chunks.slice(uncopiedCount, 36))).toEqual(new Array(32).fill(0));
  expect(lengthsOf(chunks.slice(36))).toEqual(new Array(4).fill(chunkBytes));
});

test("an array buffer with several chunks is freed when a chunk of another one arrives", () => {
  const reply = createReply();
  const large = chunkOf(9, pooledBytes);
  const chunks = Array.from({ length: 8 }, (_, index) =>
    large.subarray((index * pooledBytes) / 8, ((index + 1) * pooledBytes) / 8),
  );

  addAll(reply, chunksOf(uncopiedCount));
  addAll(reply, chunks);
  const before = large.length;
  reply.add(chunkOf(1));
  const after = large.length;

  expect([before, after]).toEqual([pooledBytes, 0]);
});

test("an array buffer that also holds an uncopied chunk is not freed", () => {
  const reply = createReply();
  const first = chunkOf(1, 300_000);

  const uncopied = reply.add(first.subarray(0, 200_000));
  reply.add(first.subarray(200_000));
  addAll(reply, chunksOf(40));

  expect(uncopied.equals(Buffer.alloc(200_000, 1))).toBe(true);
});

test("a chunk larger than a pooled buffer gets separate memory, which never enters the pool", () => {
  const pool = new BufferPool();
  const reply = new ReplyBuffers(pool);
  const large = chunkOf(2, 2 * pooledBytes);

  const held = reply.add(large);
  reply.retain();
  reply.release();

  expect(held.equals(Buffer.alloc(2 * pooledBytes, 2))).toBe(true);
  expect(pool.take().byteLength).toBe(pooledBytes);
});

test("the last release frees the memory, and none before it", () => {
  const reply = createReply();
  const chunks = chunksOf(20);
  const held = addAll(reply, chunks);
  reply.retain();
  reply.retain();

  reply.release();
  const before = new Set(lengthsOf(held));
  reply.release();
  const after = new Set(lengthsOf([...held, ...chunks]));

  expect(before).toEqual(new Set([chunkBytes]));
  expect(after).toEqual(new Set([0]));
});

test("a release too many does not damage the pool", () => {
  const pool = new BufferPool();
  const reply = new ReplyBuffers(pool);
  addAll(reply, chunksOf(20));
  reply.retain();

  reply.release();
  reply.release();
  const next = new ReplyBuffers(pool);

  expect(lengthsOf(addAll(next, chunksOf(20)))).toEqual(new Array(20).fill(chunkBytes));
});

test("an empty chunk takes no memory", () => {
  const reply = createReply();

  expect(lengthsOf(addAll(reply, [chunkOf(1, 2 * pooledBytes), chunkOf(0, 0)]))).toEqual([
    2 * pooledBytes,
    0,
  ]);
});

test("the next reply uses the memory of the last one", () => {
  const pool = new BufferPool();
  const first = new ReplyBuffers(pool);
  addAll(first, chunksOf(20));
  first.retain();

  first.release();
  const fresh = new Uint8Array(pool.take());

  expect([...fresh.subarray(0, 2)]).toEqual([uncopiedCount, uncopiedCount]);
});

test("a small array buffer is never freed: others may share it", () => {
  const reply = createReply();
  const shared = Buffer.from("shared");
  const empty = chunkOf(0, 0);
  addAll(reply, [shared, empty, ...chunksOf(20), shared, empty]);
  reply.retain();

  reply.release();

  expect(shared.toString()).toBe("shared");
  expect(() => new Uint8Array(8).set(empty)).not.toThrow();
});

test("memory that cannot be transferred is not freed", () => {
  const reply = createReply();
  const fixed = chunkOf(1);
  markAsUntransferable(fixed.buffer);
  addAll(reply, [fixed, ...chunksOf(20)]);
  reply.retain();

  reply.release();

  expect(fixed.length).toBe(chunkBytes);
});
