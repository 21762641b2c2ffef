import { pooledBytes } from "@model-gateway/runtime/buffer-pool";
import { expect, test } from "vitest";
import { FormBuffers, UploadMemory } from "./upload-memory.js";

test("chunks are copied one after the other into buffers of the pool, and a chunk may end in the next", () => {
  const memory = new UploadMemory(4 * pooledBytes);
  const form = new FormBuffers(memory, 2 * pooledBytes);
  const chunk = Buffer.alloc(pooledBytes - 10, "a");

  const first = form.copy(chunk);
  const second = form.copy(chunk);
  const third = form.copy(chunk.subarray(10));

  expect([first?.length, second?.length, third?.length]).toEqual([pooledBytes - 10, 10, pooledBytes - 20]);
  expect(second?.buffer).toBe(first?.buffer);
  expect(third?.buffer).not.toBe(first?.buffer);
  expect(third?.equals(chunk.subarray(10))).toBe(true);
  expect(memory.bytesInUse).toBe(2 * pooledBytes);
});

test("a small form takes no more memory than it has declared", () => {
  const memory = new UploadMemory(pooledBytes);
  const form = new FormBuffers(memory, 1000);

  form.copy(Buffer.alloc(300));
  form.copy(Buffer.alloc(300));

  expect(memory.bytesInUse).toBe(1000);
});

test("there is no room beyond the limit until a form is released", () => {
  const memory = new UploadMemory(pooledBytes);
  const [one, other] = [new FormBuffers(memory, 5 * pooledBytes), new FormBuffers(memory, 1000)];
  const copy = one.copy(Buffer.from("bytes of one caller"));
  expect(other.copy(Buffer.from("b"))).toBeUndefined();

  one.release();
  one.release();

  expect(memory.bytesInUse).toBe(0);
  // The first form's bytes are out of reach.
  expect(copy?.length).toBe(0);
  expect(other.copy(Buffer.from("b"))?.toString()).toBe("b");
  expect(one.copy(Buffer.from("late"))).toBeUndefined();
});

test("only the memory of chunks that share it with no other request is freed", () => {
  const form = new FormBuffers(new UploadMemory(pooledBytes), 1000);
  const whole = Buffer.from(new ArrayBuffer(2 * pooledBytes));
  const shared = Buffer.from(new ArrayBuffer(2 * pooledBytes), 1);
  const small = Buffer.from(new ArrayBuffer(1000));

  for (const chunk of [whole, shared, small, Buffer.from(new ArrayBuffer(pooledBytes))]) form.free(chunk);

  expect([whole.length, shared.length, small.length]).toEqual([0, 2 * pooledBytes - 1, 1000]);
});
