import { expect, test } from "vitest";
import { FairQueue } from "./admission.js";

const { signal } = new AbortController();

/** A room before a number of places. */
function createFixture(places: number, max = 100) {
  let free = places;
  const room = new FairQueue<string>(max);
  const order: string[] = [];
  const tryEnter = (caller: string) => {
    if (free === 0) return undefined;
    free -= 1;
    return caller;
  };
  const come = (caller: string, until = signal) => {
    const entered = room.enter(caller, () => tryEnter(caller), until).then(() => order.push(caller));
    entered.catch(() => undefined);
    return entered;
  };
  const giveBack = async () => {
    free += 1;
    room.wake();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { room, order, come, giveBack };
}

test("a free place is given at once", async () => {
  const { come, order } = createFixture(1);

  await come("a");

  expect(order).toEqual(["a"]);
});

test("callers take turns, however many requests each has waiting", async () => {
  const { come, order, giveBack } = createFixture(0);
  for (const caller of ["a", "a", "a", "a", "b", "c"]) void come(caller);

  for (let place = 0; place < 6; place += 1) await giveBack();

  expect(order).toEqual(["a", "b", "c", "a", "a", "a"]);
});

test("a full room answers at once", async () => {
  const { come } = createFixture(0, 2);
  void come("a");
  void come("a");

  await expect(come("b")).rejects.toMatchObject({ code: "rate_limit_exceeded", retryAfterMs: 1000 });
});

test("who leaves is not let in, and frees its place in the room", async () => {
  const { come, order, giveBack, room } = createFixture(0);
  const leaving = new AbortController();
  const gone = come("a", leaving.signal);
  void come("b");

  leaving.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  await giveBack();

  expect([order, room.waiting]).toEqual([["b"], 0]);
});
