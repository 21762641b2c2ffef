import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Descriptors, readDescriptorLimit } from "./descriptors.js";

const overloaded = expect.objectContaining({ code: "gateway_overloaded", status: 503, retryAfterMs: 1000 });

function openDescriptors(max: number | undefined) {
  const clock = { now: 0 };
  const refusals: number[] = [];
  const descriptors = new Descriptors({
    max,
    now: () => clock.now,
    onRefused: () => refusals.push(clock.now),
  });
  onTestFinished(() => descriptors.close());
  return { descriptors, clock, refusals };
}

/** Opens connections of callers. */
function connect(descriptors: Descriptors, count: number): Socket[] {
  const sockets = Array.from({ length: count }, () => new EventEmitter() as Socket);
  for (const socket of sockets) descriptors.trackConnection(socket, () => false);
  return sockets;
}

function admitted(begin: () => void): number {
  let count = 0;
  try {
    for (; count < 10_000; count += 1) begin();
  } catch (failure) {
    expect(failure).toEqual(overloaded);
  }
  return count;
}

test("requests are admitted until the descriptors that are not reserved are in use", () => {
  const { descriptors } = openDescriptors(256);
  const sockets = connect(descriptors, 150);

  expect(descriptors.connectionsMax).toBe(168);
  expect(admitted(() => descriptors.beginRequest())).toBe(42);
  sockets[0]?.emit("close");
  descriptors.endRequest();
  expect(admitted(() => descriptors.beginRequest())).toBe(2);
});

test("the files of a form are reserved together, and given back once", () => {
  const { descriptors } = openDescriptors(256);
  connect(descriptors, 150);

  const one = descriptors.reserveFiles(20);
  const other = descriptors.reserveFiles(20);
  expect(() => descriptors.reserveFiles(20)).toThrow(overloaded);
  one.release();
  expect(() => descriptors.reserveFiles(23)).toThrow(overloaded);
  descriptors.reserveFiles(22).release();
  for (const reservation of [one, other, one]) reservation.release();
  descriptors.reserveFiles(42);
});

test("a tiny limit still serves, and without a limit nothing is refused", () => {
  const tiny = openDescriptors(64);
  const unlimited = openDescriptors(undefined);
  connect(tiny.descriptors, tiny.descriptors.connectionsMax ?? 0);

  expect(admitted(() => tiny.descriptors.beginRequest())).toBe(24);
  expect(unlimited.descriptors.connectionsMax).toBeUndefined();
  expect(admitted(() => unlimited.descriptors.beginRequest())).toBe(10_000);
});

test("refusals within a minute of each other are reported once", () => {
  const { descriptors, clock, refusals } = openDescriptors(256);

  for (const at of [0, 30_000, 80_000, 150_000]) {
    clock.now = at;
    descriptors.refuse();
  }

  expect(refusals).toEqual([0, 150_000]);
});

test("the limit is the system's", () => {
  const limits = readFileSync("/proc/self/limits", "utf8");

  expect(limits).toContain(`Max open files            ${readDescriptorLimit()} `);
});
