import { TurnBatch } from "@model-gateway/runtime/turn-batch";
import { expect, test } from "vitest";
import { TestCall } from "../test/call.js";
import { Exchange } from "./exchange.js";

/** The part of undici's controller that an exchange uses. */
function createController() {
  return {
    paused: false,
    pause() {
      this.paused = true;
    },
    resume() {
      this.paused = false;
    },
    abort() {
      this.aborted = true;
    },
    aborted: false,
    reason: null,
  };
}

/** An exchange whose upstream sends 1-byte chunks, as undici cuts them from what one read of the socket gave. */
function begin() {
  const exchange = new Exchange(new TestCall(), new TurnBatch((run) => run()), {
    timeoutMs: 10_000,
    host: "localhost",
  });
  exchange.head.catch(() => undefined);
  const controller = createController();
  exchange.onRequestStart(controller);
  const send = (most: number) => {
    let sent = 0;
    while (sent < most && !controller.paused && !controller.aborted) {
      const memory = Buffer.from(new ArrayBuffer(60_000));
      for (let at = 0; at < memory.length && !controller.paused && !controller.aborted; at += 6) {
        exchange.onResponseData(controller, memory.subarray(at, at + 1));
        sent += 1;
      }
    }
    return sent;
  };
  return { exchange, controller, send };
}

test("an upstream that sends 1-byte chunks to a slow reader is paused at the end of what was read", async () => {
  const { exchange, send } = begin();

  const first = send(50_000);
  const reader = exchange.chunks();
  await reader.next();
  const more = send(50_000);
  exchange.onResponseEnd();
  let received = 1;
  for await (const chunk of reader) received += chunk.length;

  // At most 4,096 bytes are left of the 60,000: they hold fewer than 700 chunks of six bytes.
  expect(first).toBeGreaterThan(9300);
  expect(first).toBeLessThan(10_000);
  expect(more).toBe(first);
  expect(received).toBe(first + more);
});

test.each(["read", "chunks"] as const)("a reply in too many 1-byte chunks fails: %s", async (way) => {
  const { exchange, controller, send } = begin();
  const reading =
    way === "read"
      ? exchange.read(() => undefined)
      : (async () => {
          for await (const _ of exchange.chunks());
        })();
  const failure = reading.catch((reason: unknown) => reason);

  let sent = 0;
  while (!controller.aborted && sent < 1_000_000) {
    sent += send(1_000_000);
    await new Promise(setImmediate);
  }

  expect(sent).toBe(20_001);
  expect(await failure).toMatchObject({ code: "upstream_invalid_reply" });
});

test("a reader that takes long for each chunk leaves the event loop free in between", async () => {
  const { exchange, controller } = begin();
  for (let sent = 0; sent < 20; sent += 1) exchange.onResponseData(controller, Buffer.alloc(1000));
  exchange.onResponseEnd();
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);

  for await (const _ of exchange.chunks()) spin(3);
  clearImmediate(immediate);

  expect(turns).toBeGreaterThan(20);
});

test.each([
  { declared: "2000000", isPaused: false },
  { declared: "60000000", isPaused: true },
  { declared: undefined, isPaused: true },
])("long work is interrupted in a reply of $declared bytes: $isPaused", async ({ declared, isPaused }) => {
  const { exchange, controller } = begin();
  exchange.onResponseStart(controller, 200, declared === undefined ? {} : { "content-length": declared });
  void exchange.read(() => spin(1));

  for (let sent = 0; sent < 30; sent += 1) exchange.onResponseData(controller, Buffer.alloc(65_536));

  expect(controller.paused).toBe(isPaused);
  exchange.onResponseEnd();
});

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
