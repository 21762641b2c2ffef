import { expect, test } from "vitest";
import { mergeSnapshots } from "./merge-snapshots.js";
import type { TargetSnapshot } from "./target-state.js";

const snapshot = (more: Partial<TargetSnapshot>): TargetSnapshot => ({
  upstream: "one",
  model: "text",
  state: "healthy",
  provenMs: null,
  inFlight: 0,
  unhealthyMs: null,
  failures: 0,
  averageLatencyMs: 0,
  latency: null,
  pausedMs: 0,
  lastError: null,
  spaceCheck: null,
  ...more,
});

test("a target that several workers call has the worst state, all calls and the latest error", () => {
  const older = { code: "upstream_error", status: 500, message: "older", ageMs: 900 };
  const newer = { code: "upstream_timeout", status: null, message: "newer", ageMs: 100 };

  const merged = mergeSnapshots(
    [
      snapshot({
        inFlight: 1,
        averageLatencyMs: null,
        latency: { p50Ms: 1, p95Ms: 9, calls: 2, ageMs: 5 },
        lastError: older,
        pausedMs: 10,
      }),
    ],
    [
      snapshot({
        state: "open",
        provenMs: 7,
        inFlight: 2,
        averageLatencyMs: 5,
        latency: { p50Ms: 2, p95Ms: 8, calls: 3, ageMs: 4 },
        lastError: newer,
        pausedMs: 40,
      }),
      snapshot({ state: "failing", inFlight: 3, averageLatencyMs: 30 }),
    ],
  );

  expect(merged).toEqual([
    snapshot({
      state: "open",
      provenMs: 7,
      inFlight: 6,
      averageLatencyMs: 30,
      latency: { p50Ms: 2, p95Ms: 9, calls: 5, ageMs: 4 },
      lastError: newer,
      pausedMs: 40,
    }),
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
