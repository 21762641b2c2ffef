import { expect, test } from "vitest";
import { OwnerQueue } from "./owner-queue.js";

test("owners take turns, whatever the number of lists that each has", () => {
  const queue = new OwnerQueue<string, string>();
  for (let list = 0; list < 100; list += 1) queue.add("greedy", `list ${list}`, [`g${list}`, "more"]);
  queue.add("modest", "list", ["m1", "m2"]);

  const taken = Array.from({ length: 4 }, () => queue.take());

  expect(taken).toEqual(["g0", "m1", "g1", "m2"]);
  expect([queue.size, queue.sizeOf("greedy"), queue.sizeOf("modest")]).toEqual([198, 198, 0]);
});

test("a removed list leaves nothing behind", () => {
  const queue = new OwnerQueue<string, number>();
  queue.add("a", "kept", [1, 2]);
  queue.add("a", "removed", [3, 4, 5]);
  queue.add("b", "removed too", [6]);
  queue.take();

  queue.remove("a", "removed");
  queue.remove("b", "removed too");
  queue.remove("c", "unknown");

  expect(queue.size).toBe(1);
  expect([queue.take(), queue.take(), queue.size]).toEqual([2, undefined, 0]);
});
