import { expect, test } from "vitest";
import { LightAbortController } from "./abort.js";
import { wait, waitInBackground } from "./wait.js";

const hourMs = 3_600_000;

test.each([
  ["wait", wait],
  ["waitInBackground", waitInBackground],
])("%s resolves after its time, and rejects with the reason of an abort", async (_name, waitOf) => {
  const before = new AbortController();
  before.abort("left before");
  const light = new LightAbortController();
  const native = new AbortController();

  await waitOf(1, light.signal);
  const waits = [waitOf(hourMs, before.signal), waitOf(hourMs, light.signal), waitOf(hourMs, native.signal)];
  light.abort("left");
  native.abort("left as well");

  expect(await Promise.allSettled(waits)).toEqual(
    ["left before", "left", "left as well"].map((reason) => ({ status: "rejected", reason })),
  );
});
