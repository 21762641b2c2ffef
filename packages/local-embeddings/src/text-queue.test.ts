import { expect, test } from "vitest";
import { type TextOwner, TextQueue } from "./text-queue.js";

const bulk: TextOwner = { owner: "a", priority: "bulk" };
const interactive: TextOwner = { owner: "a", priority: "interactive" };
const other = (owned: TextOwner): TextOwner => ({ ...owned, owner: "b" });

test("an interactive text goes before all bulk texts that wait", () => {
  const queue = new TextQueue<string, string>(100);
  queue.add({ call: "job", items: ["b1", "b2", "b3"] }, bulk);
  const first = queue.take();
  queue.add({ call: "search", items: ["i1"] }, interactive);

  const rest = Array.from({ length: 4 }, () => queue.take());

  expect([first, ...rest]).toEqual(["b1", "i1", "b2", "b3", undefined]);
});

test("a bulk text goes after sixteen interactive ones, however many more there are", () => {
  const queue = new TextQueue<string, string>(100);
  queue.add({ call: "job", items: ["b1", "b2"] }, bulk);
  queue.add({ call: "search", items: Array.from({ length: 40 }, (_, index) => `i${index}`) }, interactive);

  const taken = Array.from({ length: 42 }, () => queue.take());

  expect([taken.indexOf("b1"), taken.indexOf("b2")]).toEqual([16, 33]);
});

test("bulk texts leave a quarter of the queue to interactive ones", () => {
  const queue = new TextQueue<string, number>(8);
  queue.add({ call: "job", items: [1, 2, 3, 4, 5] }, bulk);

  expect([queue.hasRoom(1, other(bulk)), queue.hasRoom(2, other(bulk))]).toEqual([true, false]);
  expect([queue.hasRoom(3, other(interactive)), queue.hasRoom(4, other(interactive))]).toEqual([true, false]);
  queue.remove("job", bulk);

  expect([queue.hasRoom(6, bulk), queue.hasRoom(8, interactive)]).toEqual([true, true]);
});

test("a greedy owner fills half of the queue, and the text of a modest one is the next but one", () => {
  const queue = new TextQueue<number, string>(100);
  for (let call = 0; queue.hasRoom(1, interactive); call += 1)
    queue.add({ call, items: ["greedy"] }, interactive);
  const held = [queue.hasRoom(50, other(interactive)), queue.hasRoom(51, other(interactive))];

  queue.add({ call: -1, items: ["modest"] }, other(interactive));

  expect(held).toEqual([true, false]);
  expect([queue.take(), queue.take()]).toEqual(["greedy", "modest"]);
});
