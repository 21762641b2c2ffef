import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { DriftSettings } from "@model-gateway/config/config";
import type { EmbeddingModel, EmbeddingTarget } from "@model-gateway/domain/model";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { compareSpaces } from "@model-gateway/vector-check/spaces";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../storage/database/open-database.js";
import { DatabaseSpaceStore } from "../storage/spaces/space-store.js";
import type { TargetToCheck } from "./checked-targets.js";
import type { TargetProbes } from "./embed-at-target.js";
import { type EmbedProbes, SpaceChecks } from "./space-checks.js";

const dataDir = mkdtempSync(join(tmpdir(), "space-checks-"));
let database: Database;
beforeAll(async () => {
  database = await openDatabase({ dataDir, onFailure: () => undefined });
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

const hourMs = 3_600_000;
const east = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
const turned = [Float32Array.of(1, 0), Float32Array.of(1, 1)];
const vectors = { texts: east, images: undefined };
const moved = { texts: turned, images: undefined };
let spaces = 0;
const targetIn = (space: string, upstream = "a"): TargetToCheck => ({
  space,
  upstream,
  model: "m",
  inputType: "",
  asks: { model: {} as EmbeddingModel, target: {} as EmbeddingTarget },
});

function createFixture(embed: EmbedProbes, targets?: readonly TargetToCheck[]) {
  spaces += 1;
  const clock = new ManualClock();
  const settings: { current: DriftSettings | undefined } = {
    current: { everyMs: 24 * hourMs, action: "report", cosineMin: 0.999 },
  };
  const checked = targets ?? [targetIn(`space ${spaces}`)];
  const startedAt = clock.now();
  /** When each call began, in hours. */
  const calls: number[] = [];
  let rounds = 0;
  const store = new DatabaseSpaceStore(database, {
    now: () => clock.now(),
    probesVersion: 1,
    compare: (left, right) => compareSpaces(left, right).cosineMin,
  });
  const checks = new SpaceChecks({
    store,
    clock,
    log: pino({ level: "silent" }),
    settings: () => settings.current,
    targets: () => checked,
    embed: (target, signal) => {
      calls.push((clock.now() - startedAt) / hourMs);
      return embed(target, signal);
    },
    onChecked: async () => {
      rounds += 1;
    },
  });
  return { clock, calls, settings, checks, store, target: checked[0] as TargetToCheck, rounds: () => rounds };
}

test("targets are checked at once, every day, and again after a restart of the schedule", async () => {
  const { clock, calls, checks, rounds } = createFixture(async () => vectors);

  checks.begin();
  await clock.runUntil(() => rounds() === 3);
  checks.begin();
  await clock.runUntil(() => rounds() === 4);
  await checks.close();

  expect(calls.slice(0, 3)).toEqual([0, 24, 48]);
  expect([...checks.counts]).toEqual([["same", 4]]);
});

test("a check that fails is repeated a few times, and then on the next day", async () => {
  let fails = true;
  const { clock, calls, checks, rounds } = createFixture(async () => {
    if (fails) throw new Error("The upstream is down.");
    return vectors;
  });

  checks.begin();
  await clock.runUntil(() => calls.length === 7);
  fails = false;
  await clock.runUntil(() => rounds() === 1);
  await checks.close();

  const minutes = calls.map((hours) => Math.round(hours * 60));
  expect(minutes).toEqual([0, 1, 3, 7, 15, 31, 1440, 1441]);
  expect([...checks.counts]).toEqual([
    ["failed", 7],
    ["same", 1],
  ]);
});

test("a target that fails its checks does not put off those of the others", async () => {
  const { clock, checks, settings } = createFixture(
    async ({ space }) => {
      if (space === "bad") throw new Error("The upstream is down.");
      return vectors;
    },
    [targetIn("good"), targetIn("bad")],
  );
  const minute = hourMs / 60;
  settings.current = { everyMs: minute, action: "report", cosineMin: 0.999 };
  const startedAt = clock.now();

  checks.begin();
  await clock.runUntil(() => checks.counts.get("same") === 4);
  await checks.close();

  expect((clock.now() - startedAt) / minute).toBe(3);
  expect(checks.counts.get("failed")).toBe(4);
});

test.each([
  ["texts", vectors, moved],
  ["images alone", { texts: east, images: east }, { texts: east, images: turned }],
])("moved vectors of %s are counted as drifted", async (_, before, after) => {
  let current: TargetProbes = before;
  const { clock, checks, rounds } = createFixture(async () => current);

  checks.begin();
  await clock.runUntil(() => rounds() === 1);
  current = after;
  await clock.runUntil(() => rounds() === 2);
  await checks.close();

  expect([...checks.counts]).toEqual([
    ["same", 1],
    ["drifted", 1],
  ]);
});

test("a target that another replica has checked meanwhile is not checked again that day", async () => {
  const { clock, calls, checks, store, target, rounds } = createFixture(async () => vectors);
  checks.begin();
  await clock.runUntil(() => rounds() === 1);

  clock.advance(20 * hourMs);
  await store.record(target, vectors);
  await clock.runUntil(() => rounds() === 2);
  await checks.close();

  expect(calls[1]).toBeGreaterThan(40);
});

test("few spaces are checked at the same time, and the targets of a space one after the other", async () => {
  const targets = Array.from({ length: 10 }, (_, index) => [
    targetIn(`wide ${index}`, "a"),
    targetIn(`wide ${index}`, "b"),
  ]).flat();
  const running: TargetToCheck[] = [];
  let most = 0;
  let isShared = false;
  const { clock, checks, rounds } = createFixture(async (target) => {
    isShared ||= running.some(({ space }) => space === target.space);
    running.push(target);
    most = Math.max(most, running.length);
    // The first ones wait for each other; the database may take its time with each of them.
    await vi.waitUntil(() => most >= 4, { timeout: 60_000, interval: 1 });
    await setImmediate();
    running.splice(running.indexOf(target), 1);
    return vectors;
  }, targets);

  checks.begin();
  await clock.runUntil(() => rounds() === 1);
  await checks.close();

  expect([most, isShared, checks.counts.get("same")]).toEqual([4, false, 20]);
});

test("without settings nothing is checked, and a stop ends a check in flight", async () => {
  const off = createFixture(async () => vectors);
  off.settings.current = undefined;
  off.checks.begin();
  await off.checks.close();
  expect(off.calls).toEqual([]);

  const held = createFixture(
    (_, signal) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
      ),
  );
  held.checks.begin();
  await held.clock.runUntil(() => held.calls.length === 1);
  await held.checks.close();
  expect([...held.checks.counts]).toEqual([]);
});
