import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type Attack, headOf, openSocket, outcomeOf, type Received, send, type Target } from "./attack.js";

const path = "/v1/images/generations";
/** Longer than a reply may go unread. */
const unreadMs = 90_000;
const restMs = 3000;
const retriesMax = 20;

/** Large replies that are not read. Each must be cut, and its retry must get the images that were bought. */
export const unreadReplies: Attack = {
  name: "unread replies",
  atOnce: 4,
  everyMs: 1000,
  run: async (target, number) => {
    const one = purchase(`unread ${number}`, 10);
    const socket = await openSocket(target);
    socket.write(one.head(target));
    await setTimeout(unreadMs);
    const received = await readRest(socket);
    const head = received.toString("latin1", 0, 4000);
    const expectedBytes = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Infinity);
    const start = received.length < expectedBytes ? "cut" : head.slice(9, 12);
    return `${start}, then ${outcomeOf(await retry(target, one))}`;
  },
  expected: /^(cut|429|503), then (200|429 .*|503 .*)$/,
};

/** Callers that leave while their image is bought, and come back for it. */
export const departures: Attack = {
  name: "departures",
  atOnce: 4,
  everyMs: 500,
  run: async (target, number) => {
    const one = purchase(`departure ${number}`, 1);
    const socket = await openSocket(target);
    socket.write(one.head(target));
    // Before the upstream is called, while it is, or while its reply is on its way.
    await setTimeout(1 + ((number * 7) % 20));
    socket.destroy();
    return outcomeOf(await retry(target, one));
  },
  expected: /^(200|429 .*|503 .*)$/,
};

/** The bytes until the end of a connection, or until nothing more comes. */
function readRest(socket: Socket): Promise<Buffer> {
  const received: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on("data", (chunk) => received.push(chunk));
    socket.once("close", () => resolve(Buffer.concat(received)));
    socket.setTimeout(restMs, () => socket.destroy());
    if (socket.destroyed) resolve(Buffer.alloc(0));
  });
}

interface Purchase {
  readonly key: string;
  readonly body: string;
  /** The whole request, for a socket. */
  readonly head: (target: Target) => string;
}

/** The upstream tells by the prompt whether something was bought twice. */
function purchase(prompt: string, n: number): Purchase {
  const key = prompt.replaceAll(" ", "-");
  const body = JSON.stringify({ model: "bought", prompt, n });
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    "idempotency-key": key,
  };
  return { key, body, head: (target) => headOf(target, path, headers) + body };
}

/** With the same key, until the first request has ended. */
async function retry(target: Target, { key, body }: Purchase): Promise<Received> {
  for (let retries = 0; ; retries += 1) {
    const headers = { "idempotency-key": key };
    const received = await send(target, { path, contentType: "application/json", body, headers });
    if (received.status !== 409 || retries === retriesMax) return received;
    await setTimeout(500);
  }
}
