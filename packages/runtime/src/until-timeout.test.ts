import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { untilTimeout } from "./until-timeout.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("it aborts after the time, even if garbage is collected meanwhile", async () => {
  const signal = untilTimeout(new AbortController().signal, 500);
  const aborted = once(signal, "abort");
  await setImmediate();
  collectGarbage();

  await aborted;

  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("it aborts with the reason of the other signal", () => {
  const controller = new AbortController();
  const signal = untilTimeout(controller.signal, 120_000);

  controller.abort("gone");

  expect([signal.aborted, signal.reason]).toEqual([true, "gone"]);
});
