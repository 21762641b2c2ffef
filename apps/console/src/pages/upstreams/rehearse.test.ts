import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { rehearse, shareOfTraffic } from "./rehearse.js";

const target = {
  upstream: "one",
  model: "m",
  tier: 1,
  pricing: null,
  serving: true,
} as Schemas["AdminTarget"];
const spare = { ...target, upstream: "two", tier: 2 };

function model(
  id: string,
  targets: readonly Schemas["AdminTarget"][],
  fallback: string | null = null,
): Schemas["AdminModel"] {
  return { id, targets, fallback } as Schemas["AdminModel"];
}

test("a model moves to the next tier, and is lost after the last one", () => {
  const models = [model("both", [target, spare]), model("only", [target]), model("other", [spare])];

  const outcomes = rehearse(models, new Set(["one"])).map(({ id, outcome, served }) => [
    id,
    outcome,
    served.map(({ upstream }) => upstream),
  ]);

  expect(outcomes).toEqual([
    ["both", "moves", ["two"]],
    ["only", "lost", []],
    ["other", "unchanged", ["two"]],
  ]);
});

test("with every upstream there, nothing changes", () => {
  expect(rehearse([model("both", [target, spare])], new Set())).toMatchObject([{ outcome: "unchanged" }]);
});

test("a target that is down already serves nothing", () => {
  const failing = { ...target, serving: false };
  const models = [
    model("spared", [failing, spare]),
    model("ill", [failing]),
    model("last", [failing, spare]),
  ];

  const now = rehearse(models.slice(0, 2), new Set(["three"]));
  const [last] = rehearse(models.slice(2), new Set(["two"]));

  expect(now).toMatchObject([
    { outcome: "unchanged", served: [spare], failing: [failing] },
    { outcome: "down", served: [], failing: [failing] },
  ]);
  expect(last).toMatchObject({ outcome: "lost", served: [] });
});

test("the share of traffic that would move or be lost", () => {
  const models = [model("both", [target, spare]), model("only", [target]), model("other", [spare])];
  const requests = new Map([
    ["both", 30],
    ["only", 10],
    ["other", 50],
    ["forgotten", 10],
  ]);

  const share = shareOfTraffic(rehearse(models, new Set(["one"])), requests);

  expect(share).toEqual({ moves: 0.3, lost: 0.1 });
  expect(shareOfTraffic([], new Map())).toEqual({ moves: 0, lost: 0 });
});

test("a model with a fallback is lost only together with it", () => {
  const models = [model("paints", [target], "spares"), model("spares", [spare])];
  const outcomes = (...down: string[]) =>
    rehearse(models, new Set(down)).map(({ outcome, fallback, served }) => [outcome, fallback, served]);

  expect(outcomes("one")).toEqual([
    ["fallback", "spares", [spare]],
    ["unchanged", undefined, [spare]],
  ]);
  expect(outcomes("one", "two")).toEqual([
    ["lost", undefined, []],
    ["lost", undefined, []],
  ]);
});

test("fallbacks are followed to the first that works, and a circle of them ends", () => {
  const models = [model("a", [target], "b"), model("b", [target], "c"), model("c", [spare], "a")];

  expect(rehearse(models, new Set(["one"]))[0]).toMatchObject({ outcome: "fallback", fallback: "c" });
  expect(rehearse(models, new Set(["one", "two"]))[0]).toMatchObject({ outcome: "lost" });
});

test("a model that its fallback serves already is as now, and lost without the fallback", () => {
  const failing = { ...target, serving: false };
  const models = [model("paints", [failing], "spares"), model("spares", [spare])];

  expect(rehearse(models, new Set(["one"]))[0]).toMatchObject({ outcome: "unchanged", fallback: "spares" });
  expect(rehearse(models, new Set(["two"]))[0]).toMatchObject({ outcome: "lost" });
});
