import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { anySignal, LightAbortController } from "./abort.js";

test("a signal tells everybody who listens, once, and why", () => {
  const controller = new LightAbortController();
  const told: unknown[] = [];
  const listener = () => told.push(controller.signal.reason);
  const gone = () => told.push("gone");
  controller.signal.addEventListener("abort", listener);
  controller.signal.addEventListener("abort", listener);
  controller.signal.addEventListener("abort", gone);
  controller.signal.removeEventListener("abort", gone);

  controller.abort("first");
  controller.abort("second");

  expect(told).toEqual(["first"]);
  expect(controller.signal.aborted).toBe(true);
  expect(() => controller.signal.throwIfAborted()).toThrow("first");
});

test("what Node waits for ends with it", async () => {
  const controller = new LightAbortController();
  const waiting = setTimeout(60_000, undefined, { signal: controller.signal });

  controller.abort(new Error("left"));

  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

test.each([
  ["light and light", new LightAbortController(), new LightAbortController()],
  ["light and Node's own", new LightAbortController(), new AbortController()],
  ["Node's own both", new AbortController(), new AbortController()],
] as const)("any of %s aborts with the first that does", (_name, one, other) => {
  const signal = anySignal([one.signal, other.signal]);
  const told: unknown[] = [];
  signal.addEventListener("abort", () => told.push(signal.reason));

  other.abort("other");
  one.abort("one");

  expect(told).toEqual(["other"]);
});

test("any of signals of which one has aborted already has aborted too", () => {
  const controller = new LightAbortController();
  controller.abort("before");

  expect(anySignal([new LightAbortController().signal, controller.signal])).toMatchObject({
    aborted: true,
    reason: "before",
  });
});
