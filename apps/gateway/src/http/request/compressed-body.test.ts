import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import type { TakeMemory } from "@model-gateway/domain/call-context";
import type { Request } from "express";
import { expect, test } from "vitest";
import { shapeOf } from "../../execution/validation/json-schema.js";
import { compressedBody } from "./compressed-body.js";
import { readJson } from "./read-json.js";

const megabyte = 1024 * 1024;

/** A request that has arrived, in chunks of 1,000 bytes. */
function requestOf(body: Buffer, headers: object = {}): Request {
  const count = Math.ceil(body.length / 1000);
  const chunks = Array.from({ length: count }, (_, at) => body.subarray(at * 1000, (at + 1) * 1000));
  const socket = { pause: () => undefined, resume: () => undefined };
  const stream = Readable.from(chunks, { objectMode: false });
  return Object.assign(stream, { headers, socket, complete: true }) as unknown as Request;
}

test("what is refused is not decompressed further", async () => {
  const bomb = gzipSync(Buffer.alloc(64 * megabyte));
  const { stream, stop } = compressedBody(requestOf(bomb), "gzip");
  let bytes = 0;

  stream.on("data", ({ length }: Buffer) => {
    bytes += length;
    if (bytes > megabyte) stop();
  });
  await finished(stream).catch(() => undefined);

  expect(bytes).toBeLessThan(2 * megabyte);
});

test("a body that is not read is decompressed no more than a few chunks ahead", async () => {
  const request = requestOf(gzipSync(Buffer.alloc(64 * megabyte)));

  const { stream } = compressedBody(request, "gzip");
  await expect.poll(() => stream.readableLength, { timeout: 90_000 }).toBeGreaterThan(0);
  await expect.poll(() => request.isPaused(), { timeout: 90_000 }).toBe(true);

  expect(stream.readableLength).toBeLessThan(megabyte / 2);
  expect(request.readableEnded).toBe(false);
  stream.destroy();
});

test("memory is taken for the decompressed bytes: ten times those sent, and else for the largest body", async () => {
  const bytesMax = 4 * megabyte;
  const shape = shapeOf({
    type: "object",
    properties: { a: { type: "array", maxItems: megabyte, items: { type: "integer" } } },
  });
  const text = JSON.stringify({ a: Array(megabyte / 2).fill(1) });
  const body = gzipSync(text);
  const taken: number[] = [];
  const memory = {
    takeForBody: (bytes: number) => {
      taken.push(bytes);
      return undefined;
    },
    forReplies: (): TakeMemory => () => undefined,
    settleReplies: () => undefined,
    release: () => undefined,
  };

  const read = await readJson(requestOf(body, { "content-length": String(body.length) }), {
    bytesMax,
    shape,
    encoding: "gzip",
    context: { memory, caller: "a", signal: new AbortController().signal, onActive: () => undefined },
    slowBodies: { watch: () => () => undefined },
  });

  expect(read.bytes).toBe(text.length);
  // In memory, a body is there three times.
  const expected = 3 * 10 * body.length;
  expect(taken).toEqual([expected, 3 * bytesMax - expected]);
});
