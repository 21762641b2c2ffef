import { expect, test } from "vitest";
import type { Model, Target } from "../../domain/model.js";
import { targetKey } from "../../domain/model.js";
import type { TargetSnapshot, TargetState } from "../../scheduling/target-state.js";
import type { CatalogModel } from "../catalog.js";
import { applyHealth, describeModelHealth } from "./ModelHealth.js";

const now = 1_000_000_000;

function target(upstream: string, tier = 1): Target {
  return { upstream, model: "m", weight: 1, tier, capacity: {} };
}

/** The health of a model with these targets, some of which are in a state since some milliseconds. */
function healthOf(targets: readonly Target[], states: Record<string, readonly [TargetState, number | null]>) {
  const snapshots = Object.entries(states).map(([upstream, [state, unhealthyMs]]) => {
    const snapshot = { upstream, model: "m", state, unhealthyMs, spaceCheck: null } as TargetSnapshot;
    return [targetKey(snapshot), snapshot] as const;
  });
  return describeModelHealth({ id: "model", targets } as Model, new Map(snapshots), now);
}

test("targets that were never called count as working", () => {
  expect(healthOf([target("a"), target("b", 2)], {})).toEqual({
    state: "healthy",
    failing_since: null,
    served_by: [{ upstream: "a", model: "m" }],
  });
});

test.each(["open", "half-open", "failing", "cooling", "misconfigured"] as const)(
  "the next tier serves while the first is %s",
  (state) => {
    expect(healthOf([target("a"), target("b", 2)], { a: [state, 5000], b: ["healthy", null] })).toEqual({
      state: "degraded",
      failing_since: null,
      served_by: [{ upstream: "b", model: "m" }],
    });
  },
);

test("without a working target, it fails since the last of them does", () => {
  const health = healthOf([target("a"), target("b")], { a: ["open", 60_000], b: ["half-open", 20_000] });

  expect(health).toEqual({ state: "failing", failing_since: (now - 20_000) / 1000, served_by: [] });
});

test("a drifted target that still gets calls serves", () => {
  expect(healthOf([target("a")], { a: ["drifted", 10] })).toMatchObject({ state: "healthy" });
});

const catalogModel = { id: "model", status: "ready" } as CatalogModel;

test("a caller reads since when a model is failing, and no name of an upstream", () => {
  const failing = [{ id: "model", failing_since: 7, fallback: null }];

  expect(applyHealth([catalogModel], failing)).toEqual([
    {
      id: "model",
      status: "failing",
      status_reason: "None of its upstreams works at the moment.",
      failing_since: 7,
    },
  ]);
});

test("to its callers a model is ready while its fallback serves", () => {
  const failing = { id: "model", failing_since: 7, fallback: "other" };

  expect(applyHealth([catalogModel], [failing])).toEqual([catalogModel]);
  expect(
    applyHealth([catalogModel], [failing, { id: "other", failing_since: 8, fallback: null }]),
  ).toMatchObject([{ status: "failing" }]);
});
