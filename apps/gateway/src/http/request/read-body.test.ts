import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Request } from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GatewayError } from "../../errors.js";
import { readJson } from "./read-body.js";

const bytesMax = 100;

/** Answers with what it has read, and whether it had to wait for it. */
async function answer(request: IncomingMessage): Promise<object> {
  // As in the gateway, where all sockets of a turn are read before a request is served.
  await setImmediate();
  try {
    const read = readJson(request as Request, bytesMax);
    return { ...(await read), waits: read instanceof Promise };
  } catch (failure) {
    return { code: failure instanceof GatewayError ? failure.code : String(failure) };
  }
}

const server = createServer(async (request, response) => {
  response.end(`${JSON.stringify(await answer(request))}\n`);
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

/** Writes the texts one after the other, and reads the line that is the answer. */
async function ask(...texts: string[]): Promise<unknown> {
  let received = "";
  const take = (chunk: Buffer) => {
    received += chunk;
  };
  socket.on("data", take);
  for (const text of texts) {
    socket.write(text);
    await setImmediate();
  }
  await expect.poll(() => received).toMatch(/\}\n/);
  socket.off("data", take);
  return JSON.parse(/\{.*\}(?=\n)/.exec(received)?.[0] ?? "");
}

const head = "POST / HTTP/1.1\r\nhost: a\r\n";
const whole = (body: string) => `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const chunked = (...chunks: string[]) =>
  `${head}transfer-encoding: chunked\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`;

test("a body that has come with its request is there at once, and the connection serves on", async () => {
  expect(await ask(whole('{"é":1}'))).toEqual({ value: { é: 1 }, bytes: 8, waits: false });
  expect(await ask(whole("[2]"))).toEqual({ value: [2], bytes: 3, waits: false });
});

test("a body in several chunks is read whole", async () => {
  expect(await ask(chunked('{"a"', ":", "[1,2]}"))).toEqual({
    value: { a: [1, 2] },
    bytes: 11,
    waits: false,
  });
});

test("a body that is still coming is waited for", async () => {
  const [first, second] = [whole('{"a":1}').slice(0, -3), ":1}"];
  const asked = ask(first);
  // Long enough for the request to be served without its end.
  await setTimeout(50);
  socket.write(second);
  expect(await asked).toEqual({ value: { a: 1 }, bytes: 7, waits: true });
});

test.each([
  ["declared", whole(`"${"a".repeat(bytesMax)}"`)],
  ["counted, all there", chunked(`"${"a".repeat(60)}`, `${"a".repeat(60)}"`)],
])("a body that is too large is refused: %s", async (_how, text) => {
  expect(await ask(text)).toEqual({ code: "content_too_large" });
});

test.each([
  ["nothing", whole("")],
  ["half a document", whole('{"a":')],
])("what is no JSON is refused: %s", async (_what, text) => {
  expect(await ask(text)).toEqual({ code: "invalid_json" });
});
