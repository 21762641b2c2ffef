import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { anySignal, LightAbortController } from "./abort.js";

test("every listener is called once, with the reason of the first abort", () => {
  const controller = new LightAbortController();
  const reasons: unknown[] = [];
  const listener = () => reasons.push(controller.signal.reason);
  const removed = () => reasons.push("removed");
  controller.signal.addEventListener("abort", listener);
  controller.signal.addEventListener("abort", listener);
  controller.signal.addEventListener("abort", removed);
  controller.signal.removeEventListener("abort", removed);

  controller.abort("first");
  controller.abort("second");

  expect(reasons).toEqual(["first"]);
  expect(controller.signal.aborted).toBe(true);
  expect(() => controller.signal.throwIfAborted()).toThrow("first");
});

test("a Node timer ends when the signal aborts", async () => {
  const controller = new LightAbortController();
  const waiting = setTimeout(60_000, undefined, { signal: controller.signal });

  controller.abort(new Error("left"));

  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

test.each([
  ["light and light", new LightAbortController(), new LightAbortController()],
  ["light and Node's own", new LightAbortController(), new AbortController()],
  ["Node's own and Node's own", new AbortController(), new AbortController()],
] as const)("anySignal of %s aborts with the first one's reason", (_name, one, other) => {
  const signal = anySignal([one.signal, other.signal]);
  const reasons: unknown[] = [];
  signal.addEventListener("abort", () => reasons.push(signal.reason));

  other.abort("other");
  one.abort("one");

  expect(reasons).toEqual(["other"]);
});

test("anySignal is aborted from the start where one of its signals is", () => {
  const controller = new LightAbortController();
  controller.abort("before");

  expect(anySignal([new LightAbortController().signal, controller.signal])).toMatchObject({
    aborted: true,
    reason: "before",
  });
});
