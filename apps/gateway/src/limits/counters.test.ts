import { expect, test } from "vitest";
import { LocalLimits } from "./local-limits.js";

const nothing = { tokens: 0, images: 0 };
const keyWith = (id: string, limits = { requestsPerMinute: 5 }) => ({ name: "key" as const, id, limits });

test("idle subjects are removed, and subjects with requests in flight are kept", async () => {
  let now = 0;
  const limits = new LocalLimits(() => now);

  const slow = await limits.admit([keyWith("slow")], nothing);
  for (let index = 1; index < 1024; index += 1)
    (await limits.admit([keyWith(`early ${index}`)], nothing)).release();
  now = 60_000;
  (await limits.admit([keyWith("late")], nothing)).release();
  const afterSweep = limits.registry.size;
  slow.release();

  expect(afterSweep).toBe(2);
});

test("memory holds only the keys of the last two minutes, however many there are", async () => {
  let now = 0;
  const limits = new LocalLimits(() => now);

  let most = 0;
  for (let index = 0; index < 20_000; index += 1) {
    now += 60;
    (await limits.admit([keyWith(`key ${index}`)], nothing)).release();
    most = Math.max(most, limits.registry.size);
  }

  // A thousand keys a minute; the sweep runs when their number has doubled.
  expect(most).toBeLessThanOrEqual(2100);
});
