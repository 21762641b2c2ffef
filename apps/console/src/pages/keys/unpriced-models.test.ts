import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { nameUnpriced } from "./unpriced-models.js";

function model(id: string, ...known: boolean[]) {
  const targets = known.map((isKnown) => ({ pricing: isKnown ? [] : null }) as unknown as Target);
  return { id, targets };
}

type Target = Schemas["AdminTarget"];

test("a model is unpriced if one of its targets has no price", () => {
  expect(nameUnpriced([model("a", true, false), model("b", true), model("c", false)])).toBe("a and c");
  expect(nameUnpriced([model("b", true)])).toBeUndefined();
});

test("a caller sees no targets, so nothing is known to be unpriced", () => {
  expect(nameUnpriced([{ id: "a", targets: undefined }])).toBeUndefined();
});

test("a long list is cut", () => {
  expect(nameUnpriced(["a", "b", "c", "d", "e"].map((id) => model(id, false)))).toBe("a, b, c and 2 more");
  expect(nameUnpriced(["a", "b", "c"].map((id) => model(id, false)))).toBe("a, b and c");
});
