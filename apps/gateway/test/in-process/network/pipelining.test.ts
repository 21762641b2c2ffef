import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { longestTurnMs } from "@model-gateway/test-suite/longest-turn";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** Requests without a key, many in one packet. */
let gateway: InProcessGateway;
let port: number;

beforeAll(async () => {
  gateway = await startGateway("trustedProxies: [127.0.0.1]\nupstreams: {}\nmodels: {}\n");
  port = Number(new URL(gateway.url).port);
});
afterAll(() => gateway.stop());

const short = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

/** A connection and everything that it has received. */
class Caller {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  received = "";

  constructor() {
    this.socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.socket.setEncoding("latin1").on("error", () => undefined);
    this.socket.on("data", (text: string) => {
      this.received += text;
    });
    this.closed = new Promise((resolve) => this.socket.once("close", resolve));
  }

  get responses(): number {
    return this.received.split("HTTP/1.1 ").length - 1;
  }

  async receive(responses: number): Promise<void> {
    while (this.responses < responses) await once(this.socket, "data");
  }
}

test("a caller that pipelines without end gets a hundred responses, and no more", async () => {
  const caller = new Caller();

  caller.socket.write(short.repeat(2000));
  await caller.closed;

  expect(caller.responses).toBe(100);
  expect(gateway.inFlight()).toBe(0);
});

test("fifty pipelined requests after each other are served in their order", async () => {
  const caller = new Caller();
  const rounds = 8;

  for (let round = 0; round < rounds; round += 1) {
    const paths = Array.from({ length: 50 }, (_, index) => `/nothing-${round * 50 + index}`);
    caller.socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(""));
    await caller.receive((round + 1) * 50);
  }
  caller.socket.destroy();

  const named = [...caller.received.matchAll(/GET \/nothing-(\d+)/g)].map(([, number]) => Number(number));
  expect(named).toEqual(Array.from({ length: rounds * 50 }, (_, index) => index));
});

test("a body among pipelined requests arrives whole", async () => {
  const caller = new Caller();
  const body = JSON.stringify({ model: "none", input: "a".repeat(100_000) });
  const post = `POST /v1/embeddings HTTP/1.1\r\nhost: x\r\nauthorization: Bearer test-key-0123456789\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

  caller.socket.write(`${short.repeat(40)}${post}${short.repeat(40)}`);
  await caller.receive(81);
  caller.socket.destroy();

  const codes = [...caller.received.matchAll(/"code": ?"(\w+)"/g)].map(([, code]) => code);
  const unknown = Array.from({ length: 40 }, () => "unknown_url");
  expect(codes).toEqual([...unknown, "model_not_found", ...unknown]);
});

test("one address that floods does not make another one wait for all its requests", async () => {
  const from = (address: string) => `GET / HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n\r\n`;
  const greedy = Array.from({ length: 30 }, () => new Caller());
  const modest = new Caller();
  await Promise.all([...greedy, modest].map(({ socket }) => once(socket, "connect")));

  for (const { socket } of greedy) socket.write(from("203.0.113.1").repeat(100));
  modest.socket.write(from("203.0.113.2").repeat(3));
  await modest.receive(3);
  const responsesBefore = greedy.reduce((sum, { responses }) => sum + responses, 0);
  await Promise.all(greedy.map((caller) => caller.receive(100)));
  for (const { socket } of [...greedy, modest]) socket.destroy();

  expect(responsesBefore).toBeLessThan(1500);
});

test("callers that pipeline without end do not hold up the event loop", async () => {
  const flood = Buffer.from(short.repeat(64_000 / short.length));

  const longestMs = await longestTurnMs(async () => {
    const callers = Array.from({ length: 24 }, () => new Caller());
    for (const { socket } of callers) for (let part = 0; part < 4; part += 1) socket.write(flood);
    await Promise.all(callers.map(({ closed }) => closed));
  });

  expect(longestMs).toBeLessThan(100);
});
