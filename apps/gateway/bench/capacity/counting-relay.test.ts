import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type CountingRelay, startCountingRelay } from "./counting-relay.js";

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

test("a write after a reply is a round trip, and both directions are counted", async () => {
  const relay = await relayToEcho();
  const client = await open(relay);

  await exchange(client, "four");
  await exchange(client, "seven77");

  expect(relay.read()).toEqual({ roundTrips: 2, bytesIn: 11, bytesOut: 11, connections: 1 });
});

test("connections are counted together, and one that is closed is not open", async () => {
  const relay = await relayToEcho();
  const [first, second] = [await open(relay), await open(relay)];
  await exchange(first, "a");
  await exchange(second, "b");

  first.destroy();

  await expect.poll(() => relay.read().connections).toBe(1);
  expect(relay.read()).toEqual({ roundTrips: 2, bytesIn: 2, bytesOut: 2, connections: 1 });
});

test("more bytes than a socket holds pass unchanged", async () => {
  const relay = await relayToEcho();
  const client = await open(relay);
  const sent = Buffer.alloc(8_000_000, "capacity");

  const received: Buffer[] = [];
  let bytes = 0;
  const isComplete = new Promise<void>((resolve) => {
    client.on("data", (chunk: Buffer) => {
      received.push(chunk);
      bytes += chunk.length;
      if (bytes === sent.length) resolve();
    });
  });
  client.write(sent);
  await isComplete;

  expect(Buffer.concat(received).equals(sent)).toBe(true);
  expect(relay.read()).toMatchObject({ bytesIn: sent.length, bytesOut: sent.length });
});

async function relayToEcho(): Promise<CountingRelay> {
  const echo = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(echo, "listening");
  opened.push(echo);
  const relay = await startCountingRelay({ host: "127.0.0.1", port: (echo.address() as AddressInfo).port });
  opened.push(relay);
  return relay;
}

async function open({ port }: CountingRelay): Promise<Socket> {
  const client = connect(port, "127.0.0.1");
  opened.push({ close: () => client.destroy() });
  await once(client, "connect");
  return client;
}

/** Sends a text and waits for its echo. */
async function exchange(client: Socket, text: string): Promise<void> {
  const echo = once(client, "data");
  client.write(text);
  await echo;
}
