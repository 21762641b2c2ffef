import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { withTimeout } from "./with-timeout.js";

const hours = 3_600_000;

test("work that is done in time decides", async () => {
  expect(await withTimeout(Promise.resolve("done"), hours, () => "late")).toBe("done");
  await expect(withTimeout(Promise.reject(new Error("broken")), hours, () => "late")).rejects.toThrow(
    "broken",
  );
});

test("after the time is up the caller decides", async () => {
  const never = new Promise<string>(() => undefined);

  expect(await withTimeout(never, 1, () => "late")).toBe("late");
  await expect(
    withTimeout(never, 1, () => {
      throw new Error("too late");
    }),
  ).rejects.toThrow("too late");
});

test("a failure after the timeout is not an unhandled rejection", async () => {
  const failing = setTimeout(20).then(() => {
    throw new Error("broken");
  });

  expect(await withTimeout(failing, 1, () => "late")).toBe("late");
  await expect(failing).rejects.toThrow("broken");
});

test("data that arrived while the process was busy is read before the time counts", async () => {
  let reply: (text: string) => void = () => undefined;
  const work = new Promise<string>((resolve) => {
    reply = resolve;
  });

  const outcome = withTimeout(work, 1, () => "late");
  const busyUntil = performance.now() + 20;
  // The timer is due when this turn ends, and so is the reply.
  setImmediate(() => reply("in time"));
  while (performance.now() < busyUntil);

  expect(await outcome).toBe("in time");
});
