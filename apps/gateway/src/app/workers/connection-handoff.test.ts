import type { Worker } from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConnectionHandoff } from "./connection-handoff.js";

let server: Server;
let handoff: ConnectionHandoff;
let logged: string[];
let sockets: Socket[];
let now: number;

beforeEach(async () => {
  sockets = [];
  now = 0;
  logged = [];
  server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  handoff = new ConnectionHandoff(server, log, () => now);
  await once(server, "listening");
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** A worker as the supervisor sees it, with the messages it was sent. */
function fakeWorker() {
  const sent: unknown[] = [];
  const worker = { isConnected: () => true, send: (_message: unknown, socket: unknown) => sent.push(socket) };
  return { worker: worker as unknown as Worker, sent };
}

test("a connection that a worker has not confirmed goes to another when the worker is gone", async () => {
  const [first, second] = [fakeWorker(), fakeWorker()];
  handoff.join(first.worker);
  await open();
  await expect.poll(() => first.sent.length).toBe(1);
  handoff.join(second.worker);

  handoff.lose(first.worker);

  expect(second.sent).toEqual(first.sent);
});

test("a worker gets the next connection when it has confirmed the last", async () => {
  const { worker, sent } = fakeWorker();
  handoff.join(worker);
  await Promise.all([open(), open(), open()]);
  await expect.poll(() => sent.length).toBe(1);

  handoff.confirm(worker);
  await expect.poll(() => sent.length).toBe(2);
  handoff.leave(worker);
  handoff.confirm(worker);

  expect(sent).toHaveLength(2);
});

test("more connections than may wait are closed at once, and the log says so once", async () => {
  for (let count = 0; count < 2048; count += 64) await Promise.all(Array.from({ length: 64 }, open));

  const [one, other] = [await open(), await open()];
  one.resume();
  other.resume();
  await Promise.all([once(one, "close"), once(other, "close")]);

  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain("Connections are refused: too many wait for a worker.");
});

test("a connection that no worker takes is closed after half a minute", async () => {
  const socket = await open();
  socket.resume();
  const closed = once(socket, "close");
  await expect.poll(() => countOf(server)).toBe(1);

  now = 30_000;
  handoff.expire();
  expect(await countOf(server)).toBe(1);
  now = 30_001;
  handoff.expire();

  await closed;
});

function countOf(one: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    one.getConnections((failure, count) => (failure ? reject(failure) : resolve(count))),
  );
}
