import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { memoryUsage } from "node:process";
import { setImmediate } from "node:timers/promises";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { GatewayError } from "@model-gateway/domain/errors";
import { unlimitedMemory } from "@model-gateway/domain/test/unlimited-memory";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import type { Request } from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shapeOf } from "../../execution/validation/json-schema.js";
import { readJson } from "./read-json.js";
import { SlowBodies } from "./slow-body.js";

const bytesMax = 100;
const { signal } = new AbortController();
const context = { memory: unlimitedMemory, caller: "a", signal, onActive: () => undefined };
const slowBodies = new SlowBodies(new ManualClock());

async function read(request: IncomingMessage): Promise<object> {
  // As in the gateway, all sockets that are readable in this turn are read first.
  await setImmediate();
  try {
    return await readJson(request as Request, { bytesMax, shape: shapeOf({}), context, slowBodies });
  } catch (failure) {
    return { code: failure instanceof GatewayError ? failure.code : String(failure) };
  }
}

const server = createServer(async (request, response) => {
  response.end(`${JSON.stringify(await read(request))}\n`);
});
let socket: Socket;

beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
});
afterEach(async () => {
  socket.destroy();
  server.close();
  await once(server, "close");
});

/** Sends a raw request, and returns the body that the server has read. */
async function send(text: string): Promise<unknown> {
  let received = "";
  const onData = (chunk: Buffer) => {
    received += chunk;
  };
  socket.on("data", onData);
  socket.write(text);
  await expect.poll(() => received, { timeout: 90_000 }).toMatch(/\}\n/);
  socket.off("data", onData);
  return JSON.parse(/\{.*\}(?=\n)/.exec(received)?.[0] ?? "");
}

const head = "POST / HTTP/1.1\r\nhost: a\r\n";
const whole = (body: string) => `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const chunked = (...chunks: string[]) =>
  `${head}transfer-encoding: chunked\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`;

test("a body that arrives with its request is read, and the connection can be used again", async () => {
  expect(await send(whole('{"é":1}'))).toEqual({ value: { é: 1 }, bytes: 8 });
  expect(await send(whole("[2]"))).toEqual({ value: [2], bytes: 3 });
});

test("a body in several chunks is read whole", async () => {
  expect(await send(chunked('{"a"', ":", "[1,2]}"))).toEqual({
    value: { a: [1, 2] },
    bytes: 11,
  });
});

test("a body that is still coming is waited for", async () => {
  const [first, second] = [whole('{"a":1}').slice(0, -3), ":1}"];
  const requested = once(server, "request");

  const sent = send(first);
  const [request] = await requested;
  await expect.poll(() => request.listenerCount("data"), { timeout: 90_000 }).toBe(1);
  socket.write(second);

  expect(await sent).toEqual({ value: { a: 1 }, bytes: 7 });
});

test.each([
  ["declared", whole(`"${"a".repeat(bytesMax)}"`)],
  ["counted", chunked(`"${"a".repeat(60)}`, `${"a".repeat(60)}"`)],
])("a body that is too large is refused: %s", async (_name, text) => {
  expect(await send(text)).toEqual({ code: "content_too_large" });
});

test.each([
  ["an empty body", whole("")],
  ["half a document", whole('{"a":')],
])("a body that is not JSON is refused: %s", async (_name, text) => {
  expect(await send(text)).toEqual({ code: "invalid_json" });
});

/** A server for bodies of up to 10 MB, and a connection to it. */
async function openLarge(onRequest: (request: IncomingMessage) => Promise<void>) {
  const large = createServer((request) => void onRequest(request)).listen(0, "127.0.0.1");
  await once(large, "listening");
  const sender = connect((large.address() as AddressInfo).port, "127.0.0.1");
  const close = async () => {
    sender.destroy();
    large.close();
    large.closeAllConnections();
    await once(large, "close");
  };
  return { large, sender, close };
}

const arrayOf = (maxItems: number) =>
  shapeOf({
    type: "object",
    properties: { a: { type: "array", maxItems, items: { type: "integer" } } },
  });
const largeOptions = { bytesMax: 10_000_000, shape: shapeOf({}), context, slowBodies };

test("a body is refused for its shape before all of it has arrived", async () => {
  const outcomes: unknown[] = [];
  const { sender, close } = await openLarge(async (request) => {
    const options = { ...largeOptions, shape: arrayOf(10) };
    await readJson(request as Request, options).catch((failure: unknown) => outcomes.push(failure));
  });

  sender.write(`${head}content-length: 9000000\r\n\r\n{"a":[${"1,".repeat(100_000)}`);

  await expect
    .poll(() => outcomes, { timeout: 90_000 })
    .toMatchObject([{ code: "array_above_max_length", param: "a" }]);
  await close();
});

test("the memory of a large body is free as soon as it is parsed", async () => {
  const lengths: number[] = [];
  const bytesBefore: number[] = [];
  const bytesAfter: number[] = [];
  const { sender, close } = await openLarge(async (request) => {
    bytesBefore.push(memoryUsage().arrayBuffers);
    const { bytes } = await readJson(request as Request, { ...largeOptions, shape: arrayOf(1e7) });
    bytesAfter.push(memoryUsage().arrayBuffers);
    lengths.push(bytes);
  });

  sender.write(whole(`{"a":[${"1, ".repeat(2_500_000)}1]}`));

  await expect.poll(() => lengths, { timeout: 90_000 }).toEqual([7_500_009]);
  // The last megabyte of its chunks is left to the collector.
  expect((bytesAfter[0] ?? 0) - (bytesBefore[0] ?? 0)).toBeLessThan(3_000_000);
  await close();
});

test("a body in small chunks takes no more memory than its bytes, and is refused after 100,000 of them", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const heapBytes = () => {
    collectGarbage();
    return getHeapStatistics().used_heap_size;
  };
  const outcomes: unknown[] = [];
  const { large, sender, close } = await openLarge(async (request) => {
    await readJson(request as Request, largeOptions).catch((failure: unknown) => outcomes.push(failure));
  });
  const requested = once(large, "request");
  sender.write(`${head}transfer-encoding: chunked\r\n\r\n`);
  const [request] = await requested;
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  const chunk = `40\r\n${" ".repeat(64)}\r\n`;
  const before = heapBytes();

  sender.write(chunk.repeat(90_000));
  await expect.poll(() => received, { timeout: 90_000 }).toBe(64 * 90_000);
  const after = heapBytes();
  sender.write(chunk.repeat(20_000));
  await expect.poll(() => outcomes, { timeout: 90_000 }).toMatchObject([{ code: "content_too_large" }]);

  // A list of them would take 9 MB.
  expect(after - before).toBeLessThan(4_000_000);
  await close();
});
