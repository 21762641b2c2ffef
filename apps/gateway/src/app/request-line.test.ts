import { expect, test } from "vitest";
import { RequestLine } from "./request-line.js";

/** A line whose turns come when the test says so, and the requests that have begun. */
class Turns {
  readonly begun: string[] = [];
  readonly #resolve: (() => void)[] = [];
  readonly line = new RequestLine<string>(
    (request) => {
      if (request.startsWith("left")) return false;
      this.begun.push(request);
      return true;
    },
    () => new Promise((resolve) => this.#resolve.push(resolve)),
  );

  addMany(key: string, count: number): void {
    for (let index = 0; index < count; index += 1) this.line.add(key, `${key} ${index}`);
  }

  /** Returns the requests that begin in the next turn. */
  async next(): Promise<string[]> {
    const before = this.begun.length;
    this.#resolve.shift()?.();
    await Promise.resolve();
    return this.begun.slice(before);
  }
}

test("a turn begins some requests, in their order, and the next turn goes on", async () => {
  const turns = new Turns();
  turns.addMany("a", 40);

  const first = await turns.next();
  const second = await turns.next();

  expect([first.length, first[0], first[31]]).toEqual([32, "a 0", "a 31"]);
  expect(second).toEqual(Array.from({ length: 8 }, (_, index) => `a ${index + 32}`));
});

test("the lines take turns, however many requests are in each", async () => {
  const turns = new Turns();
  turns.addMany("greedy", 5000);
  turns.addMany("modest", 3);

  const begun = await turns.next();

  expect(begun.slice(0, 6)).toEqual(["greedy 0", "modest 0", "greedy 1", "modest 1", "greedy 2", "modest 2"]);
});

test("requests whose callers have left take no part of a turn", async () => {
  const turns = new Turns();
  turns.addMany("left", 5000);
  turns.addMany("here", 2);

  const begun = await turns.next();

  expect(begun).toEqual(["here 0", "here 1"]);
});

test("a line that was empty moves again", async () => {
  const turns = new Turns();
  turns.addMany("a", 1);
  await turns.next();

  turns.addMany("b", 1);

  expect(turns.begun).toEqual(["a 0"]);
  expect(await turns.next()).toEqual(["b 0"]);
});
