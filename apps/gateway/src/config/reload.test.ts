import { EventEmitter, once } from "node:events";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Config } from "./config.js";
import { ConfigError } from "./load-config.js";
import { createReloader, fileVersion, watchConfigFile } from "./reload.js";

/** Other processes may keep the machine busy. */
const busy = { timeout: 30_000 };

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

describe("config file", () => {
  function createFixture() {
    const folder = mkdtempSync(join(tmpdir(), "config-file-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "gateway.yaml");
    let changes = 0;
    const watcher = new EventEmitter();
    const watch = (stamp = fileVersion(file)) =>
      void watchConfigFile({
        file,
        stamp,
        wait: async () => {
          watcher.emit("waits");
          await once(watcher, "poll");
        },
        onChange: () => {
          changes += 1;
        },
      });
    /** Runs one poll to its end. */
    const poll = async () => {
      const finished = once(watcher, "waits");
      watcher.emit("poll");
      await finished;
    };
    return { folder, file, watch, poll, changes: () => changes };
  }

  test("a change between the read and the start of the watch is noticed", async () => {
    const { file, watch, poll, changes } = createFixture();
    writeFileSync(file, "one");
    const stamp = fileVersion(file);
    writeFileSync(file, "another");

    watch(stamp);
    await poll();

    expect(changes()).toBe(1);
  });

  test("a replaced file is noticed once, and a missing one is not", async () => {
    const { folder, file, watch, poll, changes } = createFixture();
    writeFileSync(file, "one");
    watch();

    rmSync(file);
    await poll();
    expect(changes()).toBe(0);
    writeFileSync(join(folder, "next"), "two");
    renameSync(join(folder, "next"), file);
    await poll();
    expect(changes()).toBe(1);
    await poll();

    expect(changes()).toBe(1);
  });
});
