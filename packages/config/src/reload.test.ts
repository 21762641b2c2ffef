import { describe, expect, test } from "vitest";
import type { Config } from "./config.js";
import { ConfigError } from "./config-error.js";
import { createReloader } from "./reload.js";

/** Other processes may keep the machine busy. */
const busy = { timeout: 90_000 };

describe("reloader", () => {
  const first = { port: 1 } as Config;
  const second = { port: 2 } as Config;

  test("a faulty configuration is refused with all its faults, and a good one is applied afterwards", async () => {
    const calls: unknown[] = [];
    const loads = [
      () => {
        throw new ConfigError(["one", "two"]);
      },
      () => second,
    ];
    const reload = createReloader({
      load: () => loads.shift()?.() ?? first,
      apply: async (config) => void calls.push(["apply", config.port]),
      onApplied: () => calls.push("onApplied"),
      onRefused: (faults) => calls.push(faults),
    });

    await reload();
    await reload();

    expect(calls).toEqual([["one", "two"], ["apply", 2], "onApplied"]);
  });

  test("one reload waits for the one before it", async () => {
    const calls: string[] = [];
    const finish: (() => void)[] = [];
    const reload = createReloader({
      load: () => {
        calls.push("load");
        return first;
      },
      apply: () => new Promise((resolve) => finish.push(resolve)),
      onApplied: () => calls.push("onApplied"),
      onRefused: (faults) => calls.push(...faults),
    });

    const both = [reload(), reload()];
    await Promise.resolve();
    await Promise.resolve();
    expect(calls).toEqual(["load"]);
    finish[0]?.();
    await both[0];
    await expect.poll(() => finish.length, busy).toBe(2);
    finish[1]?.();
    await both[1];

    expect(calls).toEqual(["load", "onApplied", "load", "onApplied"]);
  });
});
