import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCall } from "../test/call.js";
import { providerTools } from "../test/tools.js";
import { UpstreamClient } from "./send.js";

const replyBytes = 64 * 1024 * 1024;
/** Bytes of the reply that the upstream could send so far. */
let sentBytes = 0;
let server: Server;
let client: UpstreamClient;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-length": replyBytes });
    // It ends when its call does.
    Readable.from(chunks()).pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  client = new UpstreamClient(
    {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      authentication: [],
      readError: () => ({}),
    },
    providerTools(),
  );
});
afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

function* chunks(): Generator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024, "a");
  for (sentBytes = 0; sentBytes < replyBytes; sentBytes += chunk.length) yield chunk;
}

const request = { path: "/embeddings", headers: {}, body: "{}" };

test("a reply that waits for memory is not read until there is some", async () => {
  let give: () => void = () => undefined;
  let asked = 0;
  const memory = new Promise<void>((resolve) => {
    give = resolve;
  });
  const takeMemory = () => {
    asked += 1;
    return memory;
  };
  const sending = client.send(request, new TestCall({ timeoutMs: 60_000, takeMemory }));
  await expect.poll(() => sentBytes, { timeout: 90_000 }).toBeGreaterThan(0);
  await expect.poll(() => asked, { timeout: 90_000 }).toBe(1);
  const before = sentBytes;

  give();
  let received = 0;
  const { read } = await sending;
  await read((chunk) => {
    received += chunk.length;
  });

  // The rest is in the buffers of the system.
  expect(before).toBeLessThan(replyBytes / 2);
  expect(received).toBe(replyBytes);
});

test("the event loop turns between two chunks of a large reply whose chunks take long", async () => {
  const controller = new AbortController();
  let turn = 0;
  let immediate = setImmediate(function count() {
    turn += 1;
    immediate = setImmediate(count);
  });
  const turns: number[] = [];
  let received = 0;
  const { read } = await client.send(request, new TestCall({ signal: controller.signal, timeoutMs: 60_000 }));

  const reading = read((chunk) => {
    received += chunk.length;
    // The first part of a reply is read at once.
    if (received < 5 * 1024 * 1024) return;
    turns.push(turn);
    if (turns.length === 10) controller.abort(new Error("enough"));
    // Longer than a slice.
    for (const start = performance.now(); performance.now() - start < 9; );
  });

  await expect(reading).rejects.toThrow("enough");
  clearImmediate(immediate);
  expect(turns.length).toBe(10);
  expect(new Set(turns).size).toBe(10);
});

test("a reply that gets no memory within the deadline of its call fails", async () => {
  const takeMemory = () => new Promise<void>(() => undefined);

  const sending = client.send(request, new TestCall({ timeoutMs: 200, takeMemory }));

  await expect(sending).rejects.toMatchObject({ code: "upstream_timeout" });
});
