import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { rehearse } from "./rehearse.js";

const target = { upstream: "one", model: "m", tier: 1, price: null } as Schemas["AdminTarget"];
const spare = { ...target, upstream: "two", tier: 2 };

function model(id: string, targets: readonly Schemas["AdminTarget"][]): Schemas["AdminModel"] {
  return { id, targets } as Schemas["AdminModel"];
}

test("a model moves to the next tier, and is gone after the last one", () => {
  const models = [model("both", [target, spare]), model("only", [target]), model("other", [spare])];

  const outcomes = rehearse(models, new Set(["one"])).map(({ id, outcome, served }) => [
    id,
    outcome,
    served.map(({ upstream }) => upstream),
  ]);

  expect(outcomes).toEqual([
    ["both", "moves", ["two"]],
    ["only", "gone", []],
    ["other", "unchanged", ["two"]],
  ]);
});

test("with every upstream there, nothing changes", () => {
  expect(rehearse([model("both", [target, spare])], new Set())).toMatchObject([{ outcome: "unchanged" }]);
});
