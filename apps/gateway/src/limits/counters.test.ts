import { expect, test } from "vitest";
import { LocalLimits } from "./local-limits.js";

const nothing = { tokens: 0, images: 0 };
const keyWith = (id: string, limits = { requestsPerMinute: 5 }) => ({ name: "key" as const, id, limits });

test("whoever uses nothing any more is forgotten, and whoever does is not", () => {
  let now = 0;
  const limits = new LocalLimits(() => now);

  const slow = limits.admit([keyWith("slow")], nothing);
  for (let index = 1; index < 1024; index += 1) limits.admit([keyWith(`early ${index}`)], nothing).release();
  now = 60_000;
  limits.admit([keyWith("late")], nothing).release();
  const afterSweep = limits.book.size;
  slow.release();

  expect(afterSweep).toBe(2);
});

test("however many keys come, only those of the last minute or two are kept", () => {
  let now = 0;
  const limits = new LocalLimits(() => now);

  let most = 0;
  for (let index = 0; index < 20_000; index += 1) {
    now += 60;
    limits.admit([keyWith(`key ${index}`)], nothing).release();
    most = Math.max(most, limits.book.size);
  }

  // A thousand keys come in a minute; those that are over are looked for when twice as many are kept.
  expect(most).toBeLessThanOrEqual(2100);
});
