import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Config } from "./config.js";
import { ConfigError } from "./load-config.js";
import { createReloader, stampOf, watchConfigFile } from "./reload.js";

describe("reloader", () => {
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
});

describe("config file", () => {
  function createFixture() {
    const folder = mkdtempSync(join(tmpdir(), "config-file-"));
    const over = new AbortController();
    onTestFinished(() => {
      over.abort();
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, "gateway.yaml");
    let changes = 0;
    const onChange = () => {
      changes += 1;
    };
    const watch = (stamp = stampOf(file)) =>
      void watchConfigFile({ file, stamp, everyMs: 5, onChange, signal: over.signal });
    return { folder, file, watch, changes: () => changes };
  }

  test("what changed after the file was read is seen, though nobody was watching yet", async () => {
    const { file, watch, changes } = createFixture();
    writeFileSync(file, "one");
    const stamp = stampOf(file);
    writeFileSync(file, "another");

    watch(stamp);

    await expect.poll(changes).toBe(1);
  });

  test("a file that is replaced is seen once, and not while it is gone", async () => {
    const { folder, file, watch, changes } = createFixture();
    writeFileSync(file, "one");
    watch();

    rmSync(file);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(changes()).toBe(0);
    writeFileSync(join(folder, "next"), "two");
    renameSync(join(folder, "next"), file);

    await expect.poll(changes).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(changes()).toBe(1);
  });
});
