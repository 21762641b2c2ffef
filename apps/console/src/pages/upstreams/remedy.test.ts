import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { describeTakeover, remedyFor } from "./remedy.js";

const target = {
  upstream: "one",
  model: "m",
  tier: 1,
  state: "healthy",
  serving: true,
  requests_per_minute: null,
  tokens_per_minute: null,
} as Schemas["AdminTarget"];
const broken = { ...target, upstream: "two", state: "open", serving: false } as const;

function model(
  targets: readonly Schemas["AdminTarget"][],
  more: Partial<Schemas["AdminModel"]> = {},
): Schemas["AdminModel"] {
  return { type: "embedding", fallback: null, targets, ...more } as Schemas["AdminModel"];
}

const one = new Set(["one"]);

test.each([
  ["its only target", [target], {}, [], "Add a second target"],
  ["an image model", [target], { type: "image" }, [], "Add a second target or a fallback"],
  [
    "an image model with a fallback",
    [target],
    { type: "image", fallback: "spare" },
    ["Its fallback spare would not work either."],
    "Add a second target",
  ],
  [
    "two targets at one upstream",
    [target, { ...target, model: "n" }],
    {},
    ["All 2 targets are at one."],
    "Add a target at another upstream",
  ],
  [
    "a second target that is down too",
    [target, broken],
    {},
    ["two / m cannot take over: it is down."],
    "Add a target at another upstream",
  ],
  [
    "a second target that the upstream has paused",
    [target, { ...broken, state: "cooling" }],
    {},
    ["two / m cannot take over: it is paused by the upstream."],
    "Add a target at another upstream",
  ],
  ["a model that is down already", [broken], {}, ["two / m is down."], "Add a second target"],
] as const)("the remedy for %s", (_case, targets, more, reasons, addition) => {
  expect(remedyFor(model(targets, more), one)).toMatchObject({ reasons, addition });
});

test("with both upstreams down, a third one helps, and nothing is to be repaired", () => {
  const remedy = remedyFor(model([target, broken]), new Set(["one", "two"]));

  expect(remedy.reasons).toEqual(["Its targets are at one and two, which are all down here."]);
  expect(remedy.repairs).toEqual([]);
});

test("a target that takes over shows its tier and its limits, and several share the calls", () => {
  expect(describeTakeover([target])).toBeUndefined();
  expect(describeTakeover([{ ...target, tier: 2, requests_per_minute: 60 }])).toBe(
    "tier 2, at most 60 calls a minute",
  );
  const limited = { ...target, tokens_per_minute: 1000 };
  expect(describeTakeover([limited, limited])).toBe("at most 2,000 tokens a minute");
  expect(describeTakeover([limited, target])).toBeUndefined();
});
