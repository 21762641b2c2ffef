import { expect, test } from "vitest";
import { TextQueue } from "./text-queue.js";

test("an interactive text goes before all bulk texts that wait", () => {
  const queue = new TextQueue<string, string>(100);
  queue.add("job", ["b1", "b2", "b3"], "bulk");
  const first = queue.take();
  queue.add("search", ["i1"], "interactive");

  const rest = Array.from({ length: 4 }, () => queue.take());

  expect([first, ...rest]).toEqual(["b1", "i1", "b2", "b3", undefined]);
});

test("a bulk text goes after sixteen interactive ones, however many more there are", () => {
  const queue = new TextQueue<string, string>(100);
  queue.add("job", ["b1", "b2"], "bulk");
  queue.add(
    "search",
    Array.from({ length: 40 }, (_, index) => `i${index}`),
    "interactive",
  );

  const taken = Array.from({ length: 42 }, () => queue.take());

  expect([taken.indexOf("b1"), taken.indexOf("b2")]).toEqual([16, 33]);
});

test("bulk texts leave a quarter of the queue to interactive ones", () => {
  const queue = new TextQueue<string, number>(8);
  queue.add("job", [1, 2, 3, 4, 5], "bulk");

  expect([queue.hasRoom(1, "bulk"), queue.hasRoom(2, "bulk")]).toEqual([true, false]);
  expect([queue.hasRoom(3, "interactive"), queue.hasRoom(4, "interactive")]).toEqual([true, false]);
  queue.remove("job");

  expect([queue.hasRoom(6, "bulk"), queue.hasRoom(8, "interactive")]).toEqual([true, true]);
});
