import { expect, test } from "vitest";
import { mergeSnapshots } from "./merge-snapshots.js";
import type { TargetSnapshot } from "./target-state.js";

const snapshot = (more: Partial<TargetSnapshot>): TargetSnapshot => ({
  upstream: "one",
  model: "text",
  state: "healthy",
  inFlight: 0,
  latencyMs: 0,
  pausedMs: 0,
  lastError: null,
  spaceCheck: null,
  ...more,
});

test("a target that several workers call has the worst state, all calls and the latest error", () => {
  const older = { code: "upstream_error", message: "older", ageMs: 900 };
  const newer = { code: "upstream_timeout", message: "newer", ageMs: 100 };

  const merged = mergeSnapshots(
    [snapshot({ inFlight: 1, latencyMs: null, lastError: older, pausedMs: 10 })],
    [
      snapshot({ state: "open", inFlight: 2, latencyMs: 5, lastError: newer, pausedMs: 40 }),
      snapshot({ state: "failing", inFlight: 3, latencyMs: 30 }),
    ],
  );

  expect(merged).toEqual([
    snapshot({ state: "open", inFlight: 6, latencyMs: 30, lastError: newer, pausedMs: 40 }),
  ]);
});

test("the targets are the first list's, in its order", () => {
  const own = [snapshot({ model: "b" }), snapshot({ model: "a" })];
  const others = [snapshot({ model: "a", state: "cooling" }), snapshot({ model: "removed", state: "open" })];

  expect(mergeSnapshots(own, others)).toEqual([
    snapshot({ model: "b" }),
    snapshot({ model: "a", state: "cooling" }),
  ]);
});
