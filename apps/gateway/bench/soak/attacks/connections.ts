import { setTimeout } from "node:timers/promises";
import { type Attack, headOf, openSocket, outcomeOf, outcomeOfSocket, send } from "./attack.js";

/** By then the gateway must have ended what is slow. */
const waitMs = 100_000;
const pipelined = "GET / HTTP/1.1\r\nhost: gateway\r\n\r\n".repeat(60_000);

/** Uploads at a byte in ten seconds, as many as a process takes. */
export const slowUploads: Attack = {
  name: "slow uploads",
  atOnce: 16,
  everyMs: 500,
  run: async (target) => {
    const socket = await openSocket(target);
    const headers = { "content-type": "multipart/form-data; boundary=-soak", "content-length": 1_000_000 };
    const field = '---soak\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n';
    const file = '---soak\r\ncontent-disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n';
    socket.write(headOf(target, "/v1/files", headers) + field + file);
    return Promise.race([outcomeOfSocket(socket, waitMs), drip(socket, 10_000)]);
  },
  expected: /^(closed|408|429|503)$/,
};

/** Request heads at a byte in two seconds. */
export const slowHeads: Attack = {
  name: "slow heads",
  atOnce: 50,
  everyMs: 200,
  run: async (target) => {
    const socket = await openSocket(target);
    socket.write("GET / HTTP/1.1\r\nhost: gateway\r\na: ");
    return Promise.race([outcomeOfSocket(socket, waitMs), drip(socket, 2000)]);
  },
  expected: /^(closed|408|429|503)$/,
};

/** Two megabytes of requests on one connection. */
export const pipelinedRequests: Attack = {
  name: "pipelined requests",
  atOnce: 4,
  everyMs: 2000,
  run: async (target) => {
    const socket = await openSocket(target);
    socket.end(pipelined);
    return outcomeOfSocket(socket, waitMs);
  },
  expected: /^(closed|\d\d\d)$/,
};

/** Guesses of keys. */
export const guesses: Attack = {
  name: "guessed keys",
  atOnce: 8,
  everyMs: 50,
  run: async (target, number) => {
    const body = JSON.stringify({ model: "plain", input: "a" });
    const key = `guess-${String(number).padStart(16, "0")}`;
    const sent = { path: "/v1/embeddings", contentType: "application/json", body };
    return outcomeOf(await send({ ...target, key }, sent));
  },
  expected: /^(401|429|503) .*$/,
};

/** A byte now and then. It never resolves: the other end has the last word. */
async function drip(socket: Awaited<ReturnType<typeof openSocket>>, everyMs: number): Promise<never> {
  while (!socket.destroyed) {
    await setTimeout(everyMs);
    if (socket.writable) socket.write("a");
  }
  return new Promise(() => undefined);
}
