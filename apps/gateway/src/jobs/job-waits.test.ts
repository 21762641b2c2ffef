import { expect, test } from "vitest";
import { JobWaits } from "./job-waits.js";

const { signal } = new AbortController();
/** Only a hang takes this long. */
const ms = 60_000;

function jobOf(id: string, keyId = "key") {
  return { id, keyId };
}

function createWaits(endedAmong: (ids: readonly string[]) => readonly string[] = () => [], waitersMax = 10) {
  return new JobWaits({
    store: { endedAmong: async (ids) => endedAmong(ids) },
    clock: { now: Date.now, wait: () => new Promise((resolve) => setTimeout(resolve, 1)) },
    onFailure: () => undefined,
    waitersMax,
  });
}

test("all that wait for a job are told its end, and no others", async () => {
  const waits = createWaits();
  const ended: string[] = [];
  const waiting = ["a", "a", "b"].map((id, index) =>
    waits.until(jobOf(id), { ms, signal }).then(() => ended.push(`${id}${index}`)),
  );

  waits.notify("a");
  await Promise.all(waiting.slice(0, 2));

  expect(ended).toEqual(["a0", "a1"]);
  waits.close();
  await waiting[2];
});

test("the end of a job in another process is found in the store", async () => {
  let isOver = false;
  const waits = createWaits((ids) => (isOver ? ids : []));
  const waiting = waits.until(jobOf("a"), { ms, signal });

  isOver = true;

  await waiting;
});

test("a wait ends after its time, or when the caller leaves", async () => {
  const waits = createWaits();
  const caller = new AbortController();
  const left = waits.until(jobOf("a"), { ms, signal: caller.signal });

  await waits.until(jobOf("a"), { ms: 5, signal });
  caller.abort();

  await left;
});

test("beyond the bound, and after the close, nothing waits", async () => {
  const waits = createWaits(() => [], 1);
  const first = waits.until(jobOf("a"), { ms, signal });

  await waits.until(jobOf("b"), { ms, signal });
  waits.close();
  await first;

  await waits.until(jobOf("a"), { ms, signal });
});

test("a greedy key takes half of the places, and a modest one still waits for the end of its job", async () => {
  const waits = createWaits(() => [], 10);
  const over: string[] = [];
  const waitFor = (id: string, keyId: string) =>
    waits.until(jobOf(id, keyId), { ms, signal }).then(() => over.push(id));
  const greedy = Array.from({ length: 100 }, (_, index) => waitFor(`greedy ${index}`, "greedy"));
  const modest = waitFor("modest", "modest");
  await Promise.all(greedy.slice(5));

  const before = [...over];
  waits.notify("modest");
  await modest;

  expect(before).toHaveLength(95);
  expect(before).not.toContain("modest");
  waits.close();
  await Promise.all(greedy);
});

test("a store that fails is asked again", async () => {
  let asked = 0;
  const waits = createWaits((ids) => {
    asked += 1;
    if (asked < 3) throw new Error("down");
    return ids;
  });

  await waits.until(jobOf("a"), { ms, signal });

  expect(asked).toBe(3);
});
