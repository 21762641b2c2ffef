import { expect, test } from "vitest";
import type { Schemas } from "../../../operations/schemas.js";
import { expectedCost } from "./expected-cost.js";

const perToken = { billable: "input_text", unit: "token", usd: 0.02, per: 1_000_000 } as const;
const perImage = { billable: "output_image", unit: "image", usd: 0.04, per: 1 } as const;
const file = { items: 50, tokens: 2_000_000 };
const of = (type: "embedding" | "image", pricing: Schemas["Model"]["pricing"]) => ({
  type,
  pricing,
  targets: undefined,
});

test.each([
  [of("embedding", [perToken]), "about $0.04, estimated from the length of the texts"],
  [of("image", [perImage]), "about $2.00"],
  [of("image", [perImage, { ...perImage, usd: 0.1, variant: { quality: "high" } }]), "at most $5.00"],
  [of("embedding", [{ ...perToken, usd: 0 }]), "$0"],
  [of("image", [{ ...perImage, unit: "second" }]), "not known"],
  [of("embedding", null), "not known"],
  [undefined, "not known"],
])("the cost of a file", (model, cost) => {
  expect(expectedCost(file, model)).toBe(cost);
});

test("an operator sees the price of the target that is called first", () => {
  const targets = [
    { tier: 2, pricing: [{ ...perToken, usd: 9 }] },
    { tier: 1, pricing: [perToken] },
  ] as unknown as Schemas["AdminTarget"][];

  expect(expectedCost(file, { ...of("embedding", null), targets })).toMatch(/^about \$0\.04,/);
});
