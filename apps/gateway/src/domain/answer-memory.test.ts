import { markAsUntransferable } from "node:worker_threads";
import { expect, test } from "vitest";
import { AnswerMemory } from "./answer-memory.js";

const chunkOf = (bytes: number) => Buffer.from(new ArrayBuffer(bytes));

function heldBy(count: number, chunks: readonly Buffer[]): AnswerMemory {
  const memory = new AnswerMemory(chunks);
  for (let holder = 0; holder < count; holder += 1) memory.hold();
  return memory;
}

test("memory is given back by the last who holds it, and not before", () => {
  const chunks = [chunkOf(65_536), chunkOf(65_536)];
  const memory = heldBy(2, chunks);

  memory.letGo();
  const before = chunks.map(({ length }) => length);
  memory.letGo();
  const after = chunks.map(({ length }) => length);

  expect(before).toEqual([65_536, 65_536]);
  expect(after).toEqual([0, 0]);
});

test("several chunks may be in one piece of memory", () => {
  const whole = chunkOf(65_536);
  const memory = heldBy(1, [whole.subarray(0, 1000), whole.subarray(1000)]);

  memory.letGo();

  expect(whole.length).toBe(0);
});

test("small memory is left alone: others may have something in it", () => {
  const pooled = Buffer.from("pooled");
  const empty = chunkOf(0);
  const memory = heldBy(1, [pooled, empty, chunkOf(65_536)]);

  memory.letGo();

  expect(pooled.toString()).toBe("pooled");
  expect(() => new Uint8Array(8).set(empty)).not.toThrow();
});

test("memory that can not be given back stays", () => {
  const kept = chunkOf(65_536);
  markAsUntransferable(kept.buffer);
  const memory = heldBy(1, [kept]);

  memory.letGo();

  expect(kept.length).toBe(65_536);
});
