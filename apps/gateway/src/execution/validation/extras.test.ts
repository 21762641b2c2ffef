import type { Model } from "@model-gateway/domain/model";
import type { Extras } from "@model-gateway/domain/requests";
import { expect, test } from "vitest";
import { acceptExtras, knownParameters, separateExtras } from "./extras.js";
import { operationsOf, readSpec } from "./spec.js";

const given = (values: Extras) => ({ values, known: new Set(["input", "model"]) });
const model = { id: "m", passThrough: ["seed", "options"] } as unknown as Model;

test("only the operations of models may have parameters that the spec does not name", () => {
  const open = operationsOf(readSpec()).filter((operation) => knownParameters(operation).size > 0);

  expect(open.map(({ id }) => id).sort()).toEqual([
    "createAsyncImage",
    "createAsyncImageEdit",
    "createAzureDeploymentEmbedding",
    "createAzureDeploymentImage",
    "createAzureDeploymentImageEdit",
    "createAzureEmbedding",
    "createAzureImage",
    "createAzureImageEdit",
    "createEmbedding",
    "createEmbeddingLegacy",
    "createImage",
    "createImageEdit",
  ]);
});

test("a body is only divided where it has a further parameter", () => {
  const known = new Set(["input", "model"]);
  const further = JSON.parse('{ "input": "a", "seed": 1, "__proto__": 2 }');

  expect(separateExtras({ input: "a" }, known)).toBeUndefined();
  expect(separateExtras(further, known)).toEqual({
    named: { input: "a" },
    extras: {
      values: Object.fromEntries([
        ["seed", 1],
        ["__proto__", 2],
      ]),
      known,
    },
  });
});

test("equal extras have the same key, whatever the order of their names", () => {
  const one = acceptExtras(given({ seed: 1, options: { a: [1], b: null } }), model);
  const other = acceptExtras(given({ options: { b: null, a: [1] }, seed: 1 }), model);

  expect(one?.key).toBe('{"options":{"a":[1],"b":null},"seed":1}');
  expect(other?.key).toBe(one?.key);
});

test("null is absent, and no extras are left then", () => {
  expect(acceptExtras(given({ seed: null }), model)).toBeUndefined();
  expect(acceptExtras(undefined, model)).toBeUndefined();
});

test("a name that the model does not pass through is refused, even with the value null", () => {
  for (const name of ["steps", "__proto__", "toString", ""])
    expect(() => acceptExtras(given(Object.fromEntries([[name, null]])), model)).toThrow(
      `Unknown parameter: '${name}'.`,
    );
});

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

test.each([
  ["a text of 4096 characters", "x".repeat(4095), true],
  ["a longer text", "x".repeat(4096), false],
  ["many values", Array(4095).fill(0), true],
  ["too many values", Array(4096).fill(0), false],
  ["long keys", { ["x".repeat(4096)]: 1 }, false],
  ["eight levels", nested(8), true],
  ["nine levels", nested(9), false],
  ["a million levels", JSON.parse(`${"[".repeat(1e6)}${"]".repeat(1e6)}`), false],
])("%s", (_name, value, isAccepted) => {
  const accept = () => acceptExtras(given({ options: value }), model);

  if (isAccepted) expect(accept()?.values).toEqual({ options: value });
  else expect(accept).toThrow("Invalid 'options': a parameter that is passed through may have 4096");
});

test("a likely typing error is named", () => {
  expect(() => acceptExtras(given({ inputs: "a" }), model)).toThrow("Did you mean 'input'?");
  expect(() => acceptExtras(given({ optoins: "a" }), model)).toThrow("Did you mean 'options'?");
});

test.each([
  ["createEmbedding", "modle", "model"],
  ["createImageEdit", "outputFormat", "output_format"],
])("in %s, the name that was most likely meant is one of the spec", (id, name, meant) => {
  const operation = operationsOf(readSpec()).find((one) => one.id === id);
  const known = operation && knownParameters(operation).get("application/json");
  const extras = known && separateExtras({ [name]: "a" }, known)?.extras;

  expect(() => acceptExtras(extras, model)).toThrow(`Unknown parameter: '${name}'. Did you mean '${meant}'?`);
});
