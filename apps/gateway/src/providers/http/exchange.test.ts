import { expect, test } from "vitest";
import { TurnBatch } from "../../runtime/turn-batch.js";
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
    abort: () => undefined,
    aborted: false,
    reason: null,
  };
}

test("an upstream that sends 1-byte chunks to a slow reader is paused after some of them", async () => {
  const exchange = new Exchange(new TestCall(), new TurnBatch((begin) => begin()), 10_000);
  const controller = createController();
  exchange.onRequestStart(controller);
  const send = () => {
    let sent = 0;
    for (; sent < 100_000 && !controller.paused; sent += 1)
      exchange.onResponseData(controller, Buffer.from("a"));
    return sent;
  };

  const first = send();
  const reader = exchange.chunks();
  await reader.next();
  const more = send();
  exchange.onResponseEnd();
  let received = 1;
  for await (const chunk of reader) received += chunk.length;

  expect([first, more]).toEqual([1024, 1]);
  expect(received).toBe(1025);
});
