import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { Strangers } from "./strangers.js";

function open() {
  const clock = new FakeClock();
  const strangers = new Strangers(() => clock.now());
  const closed: string[] = [];
  /** A connection that notes its own end. */
  const from = (remoteAddress: string, name: string): Socket =>
    Object.assign(new EventEmitter(), { remoteAddress, destroy: () => void closed.push(name) }) as never;
  const addMany = (count: number, address: string, name: string) => {
    for (let number = 0; number < count; number += 1) strangers.add(from(address, `${name} ${number}`));
  };
  return { clock, strangers, closed, from, addMany };
}

const greedy = "203.0.113.1";
const modest = "198.51.100.1";

test("beyond 2,048 connections the oldest of the network that has most of them is closed for its next", () => {
  const { clock, strangers, closed, from, addMany } = open();

  strangers.add(from(modest, "modest"));
  addMany(2047, greedy, "greedy");
  clock.advance(2000);
  addMany(2, greedy, "late");
  strangers.add(from(modest, "modest later"));

  expect(closed).toEqual(["greedy 0", "greedy 1", "modest"]);
});

test("connections that came a moment ago are waited for, unless they are thousands", () => {
  const { closed, addMany } = open();

  addMany(8192, greedy, "greedy");
  expect(closed).toEqual([]);
  addMany(2, greedy, "late");

  expect(closed).toEqual(["greedy 0", "greedy 1"]);
});

test("addresses of one customer's network count together", () => {
  const { clock, strangers, closed, from, addMany } = open();

  strangers.add(from(modest, "modest"));
  addMany(1024, "2001:db8::1", "one");
  addMany(1023, "2001:db8::2", "other");
  clock.advance(2000);
  addMany(1, "2001:db8::3", "third");

  expect(closed).toEqual(["one 0"]);
});

test("room is made by those that have waited, and by no connection whose caller is known now", () => {
  const { clock, strangers, closed, from } = open();
  const known = from(greedy, "known");

  strangers.add(known);
  strangers.add(from(greedy, "silent"));
  expect(strangers.makeRoom(from(modest, "new"))).toBe(false);
  clock.advance(2000);
  strangers.delete(known);

  expect(strangers.makeRoom(from(modest, "new"))).toBe(true);
  expect(strangers.makeRoom(from(modest, "new"))).toBe(false);
  expect(closed).toEqual(["silent"]);
});

test("all that have waited are closed where descriptors are short", () => {
  const { clock, strangers, closed, from, addMany } = open();

  addMany(2, greedy, "silent");
  clock.advance(2000);
  strangers.add(from(modest, "new"));
  strangers.closeWaiting();

  expect(closed).toEqual(["silent 0", "silent 1"]);
});
