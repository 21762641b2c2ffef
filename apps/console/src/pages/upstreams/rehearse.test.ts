import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { rehearse, shareOfTraffic, summarize, worstFirst } from "./rehearse.js";

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

test("a target that would take over is named if too little shows that it works", () => {
  const isUnproven = ({ state }: Schemas["AdminTarget"]) => state === "unknown";
  const unknown = { ...spare, state: "unknown" } as const;
  const models = [
    model("moves", [target, unknown]),
    model("proven", [target, spare]),
    model("stays", [unknown]),
  ];

  const outcomes = rehearse(models, new Set(["one"]), isUnproven);

  expect(outcomes.map(({ id, unproven }) => [id, unproven])).toEqual([
    ["moves", [unknown]],
    ["proven", []],
    ["stays", []],
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
  const traffic = [
    { model: "both", upstream: "one", requests: 20 },
    { model: "both", upstream: "two", requests: 10 },
    { model: "only", upstream: "one", requests: 10 },
    { model: "other", upstream: "two", requests: 50 },
    { model: "forgotten", upstream: null, requests: 10 },
  ];
  const down = new Set(["one"]);

  const share = shareOfTraffic(rehearse(models, down), traffic, down);

  expect(share).toEqual({ moves: 0.2, mixed: 0, lost: 0.1 });
  expect(shareOfTraffic([], [], down)).toBeUndefined();
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

test("a move between targets with different vectors is marked, and only a current comparison counts", () => {
  type Verdict = Schemas["ComparedTarget"]["verdict"];
  const compared = (one: Verdict, two: Verdict, more: object = {}) => {
    const targets = [
      { upstream: "one", model: "m", verdict: one },
      { upstream: "two", model: "m", verdict: two },
    ];
    const comparison = { outdated: false, targets, ...more };
    return { ...model("both", [target, spare]), type: "embedding", comparison } as Schemas["AdminModel"];
  };
  const vectorsOf = (one: Schemas["AdminModel"], down = "one") =>
    rehearse([one], new Set([down])).map(({ vectors }) => vectors)[0];
  const never = {
    ...model("both", [target, spare]),
    type: "embedding",
    comparison: null,
  } as Schemas["AdminModel"];

  expect(vectorsOf(compared("reference", "close"))).toBe("same");
  expect(vectorsOf(compared("reference", "different"))).toBe("different");
  expect(vectorsOf(compared("different_width", "reference"))).toBe("different");
  expect(vectorsOf(compared("reference", "no_reply"))).toBe("unknown");
  expect(vectorsOf(compared("reference", "different", { outdated: true }))).toBe("outdated");
  expect(vectorsOf(never)).toBe("unknown");
  expect(vectorsOf(compared("reference", "different"), "two")).toBeUndefined();
  const down = new Set(["one"]);
  const outcomes = rehearse([compared("reference", "different")], down);
  const traffic = [{ model: "both", upstream: "one", requests: 5 }];
  expect(shareOfTraffic(outcomes, traffic, down)).toEqual({ moves: 1, mixed: 1, lost: 0 });
});

test("the worst outcomes come first, and one sentence counts them", () => {
  const models = [
    model("other", [spare]),
    model("both", [target, spare]),
    model("only", [target]),
    model("another", [spare]),
  ];

  const outcomes = worstFirst(rehearse(models, new Set(["one"])));

  expect(outcomes.map(({ id }) => id)).toEqual(["only", "both", "other", "another"]);
  expect(summarize(outcomes)).toBe(
    "1 model would be unavailable, 1 would move to other targets, 2 stay unchanged.",
  );
});
