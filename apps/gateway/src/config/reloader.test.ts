import { expect, test } from "vitest";
import type { Config } from "./config.js";
import { ConfigError } from "./load-config.js";
import { createReloader } from "./reloader.js";

const first = { port: 1 } as Config;
const second = { port: 2 } as Config;

test("a configuration with a fault is refused with all its faults, and a good one is taken afterwards", async () => {
  const told: unknown[] = [];
  const loads = [
    () => {
      throw new ConfigError(["one", "two"]);
    },
    () => second,
  ];
  const reload = createReloader({
    load: () => loads.shift()?.() ?? first,
    take: async (config) => void told.push(["taken", config.port]),
    onTaken: () => told.push("said"),
    onRefused: (faults) => told.push(faults),
  });

  await reload();
  await reload();

  expect(told).toEqual([["one", "two"], ["taken", 2], "said"]);
});

test("one reload waits for the one before it", async () => {
  const told: string[] = [];
  const finish: (() => void)[] = [];
  const reload = createReloader({
    load: () => {
      told.push("read");
      return first;
    },
    take: () => new Promise((resolve) => finish.push(resolve)),
    onTaken: () => told.push("taken"),
    onRefused: (faults) => told.push(...faults),
  });

  const both = [reload(), reload()];
  await Promise.resolve();
  await Promise.resolve();
  expect(told).toEqual(["read"]);
  finish[0]?.();
  await both[0];
  await expect.poll(() => finish.length).toBe(2);
  finish[1]?.();
  await both[1];

  expect(told).toEqual(["read", "taken", "read", "taken"]);
});
