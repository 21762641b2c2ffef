import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.js";

test("owners take turns, and each keeps its order", () => {
  const queue = new FairQueue<string, string>();
  queue.add("long", ["a1", "a2", "a3", "a4"]);
  const first = queue.take();
  queue.add("short", ["b1"]);
  queue.add("middle", ["c1", "c2"]);

  const rest = Array.from({ length: 7 }, () => queue.take());

  expect([first, ...rest]).toEqual(["a1", "a2", "b1", "c1", "a3", "c2", "a4", undefined]);
});

test("the size counts waiting items, and a removed owner leaves nothing behind", () => {
  const queue = new FairQueue<string, string>();
  queue.add("kept", ["a1", "a2"]);
  queue.add("removed", ["b1", "b2", "b3"]);
  queue.take();
  queue.take();

  queue.remove("removed");
  queue.remove("unknown");

  expect(queue.size).toBe(1);
  expect([queue.take(), queue.take()]).toEqual(["a2", undefined]);
  expect(queue.size).toBe(0);
});
