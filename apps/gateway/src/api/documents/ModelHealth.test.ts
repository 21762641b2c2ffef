import type { Model, Target } from "@model-gateway/domain/model";
import type { TargetSnapshot, TargetState } from "@model-gateway/scheduling/target-state";
import { expect, test } from "vitest";
import type { CatalogModel } from "../catalog.js";
import { describeForCaller, failingModels, judgeModels } from "./ModelHealth.js";

const now = 1_000_000_000;

function target(upstream: string, tier = 1): Target {
  return { upstream, model: "m", weight: 1, tier, capacity: {} };
}

interface StateOf {
  readonly state: TargetState;
  readonly unhealthyMs?: number;
  readonly pausedMs?: number;
  readonly isExcluded?: boolean;
}

/** Judges image models with these targets and fallbacks, at upstreams that are in these states. */
function judge(
  models: Readonly<Record<string, { readonly targets: readonly Target[]; readonly fallback?: string }>>,
  states: Readonly<Record<string, StateOf>>,
  availableModels = Object.keys(models),
) {
  const targets = Object.entries(states).map(
    ([upstream, { state, unhealthyMs = null, pausedMs = 0, isExcluded = false }]) =>
      ({ upstream, model: "m", state, unhealthyMs, pausedMs, spaceCheck: { isExcluded } }) as TargetSnapshot,
  );
  const configured = Object.entries(models).map(
    ([id, { targets: own, fallback }]) => ({ id, type: "image", targets: own, fallback }) as unknown as Model,
  );
  return judgeModels(configured, { targets, availableModels }, now);
}

const judgeOne = (targets: readonly Target[], states: Readonly<Record<string, StateOf>>) =>
  judge({ model: { targets } }, states).get("model");

test("targets of which nothing is known count as working", () => {
  expect(judgeOne([target("a"), target("b", 2)], { b: { state: "unknown" } })).toEqual({
    status: "ready",
    health: { failing_since: null, served_by: [{ upstream: "a", model: "m" }] },
    fallback: undefined,
    isTried: true,
  });
});

test.each(["open", "half-open", "failing", "cooling", "misconfigured"] as const)(
  "the next tier serves while the first is %s",
  (state) => {
    const states = { a: { state, unhealthyMs: 5000 }, b: { state: "healthy" } } as const;

    expect(judgeOne([target("a"), target("b", 2)], states)).toMatchObject({
      status: "degraded",
      health: { failing_since: null, served_by: [{ upstream: "b", model: "m" }] },
    });
  },
);

test("without a working target, it fails since the last of them does", () => {
  const states = {
    a: { state: "open", unhealthyMs: 60_000 },
    b: { state: "half-open", unhealthyMs: 20_000 },
  } as const;

  expect(judgeOne([target("a"), target("b")], states)).toMatchObject({
    status: "failing",
    health: { failing_since: (now - 20_000) / 1000, served_by: [] },
    isTried: true,
  });
});

test("a drifted target that still gets calls serves, but the model is not whole", () => {
  expect(judgeOne([target("a")], { a: { state: "drifted" } })).toMatchObject({
    status: "degraded",
    health: { served_by: [{ upstream: "a" }] },
  });
});

test.each([
  ["drifted and gets no calls", { state: "drifted", isExcluded: true }, false],
  ["misconfigured and paused", { state: "misconfigured", pausedMs: 30_000 }, false],
  ["misconfigured, after its pause", { state: "misconfigured" }, true],
  ["open", { state: "open", pausedMs: 5000 }, true],
] as const)("a model whose only target is %s is failing", (_, state, isTried) => {
  expect(judgeOne([target("a")], { a: { ...state, unhealthyMs: 1 } })).toMatchObject({
    status: "failing",
    isTried,
  });
});

test("a model is degraded while a fallback of it serves, and failing when none does", () => {
  const models = {
    first: { targets: [target("a")], fallback: "second" },
    second: { targets: [target("a")], fallback: "third" },
    third: { targets: [target("b")], fallback: "first" },
  };
  const down = { state: "open", unhealthyMs: 1000 } as const;
  const statuses = (b: StateOf, available?: string[]) =>
    [...judge(models, { a: down, b }, available).values()].map(({ status }) => status);

  expect(statuses({ state: "healthy" })).toEqual(["degraded", "degraded", "ready"]);
  expect(statuses(down)).toEqual(["failing", "failing", "failing"]);
  expect(statuses({ state: "healthy" }, ["first", "second"])).toEqual(["failing", "failing", "unavailable"]);
  expect(failingModels(judge(models, { a: down, b: { state: "healthy" } }))).toEqual([
    { id: "first", failing_since: (now - 1000) / 1000, fallback: "second" },
    { id: "second", failing_since: (now - 1000) / 1000, fallback: "third" },
  ]);
});

test("a caller reads since when a model is failing, and no name of an upstream", () => {
  const catalogModel = { id: "model", status: "ready" } as CatalogModel;
  const judged = judge({ model: { targets: [target("a")] } }, { a: { state: "open", unhealthyMs: 1000 } });

  expect(describeForCaller(catalogModel, judged)).toEqual({
    id: "model",
    status: "failing",
    status_reason: "None of its upstreams works at the moment.",
    failing_since: (now - 1000) / 1000,
  });
  expect(describeForCaller(catalogModel, new Map())).toEqual(catalogModel);
});
