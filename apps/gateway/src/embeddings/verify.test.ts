import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { Vector } from "@model-gateway/domain/vector";
import { expect, test } from "vitest";
import { verifyEmbeddings } from "./verify.js";

const item = (index: number, values: number[]) => ({ index, vector: Vector.fromNumbers(values) });
const expected = {
  count: 2,
  dimensions: undefined,
  model: embeddingModel({ dimensions: 2 }),
  normalizes: false,
};

test("vectors are put in the order of their inputs", async () => {
  const reply = { items: [item(1, [3, 4]), item(0, [1, 2])], promptTokens: 0 };

  const vectors = await verifyEmbeddings(reply, expected);

  expect(vectors.map((vector) => vector.toNumbers())).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test.each([
  ["a vector too few", [item(0, [1, 2])], "it has 1 vectors for 2 inputs"],
  ["a vector too many", [item(0, [1, 2]), item(1, [1, 2]), item(2, [1, 2])], "it has 3 vectors for 2 inputs"],
  ["no vector at all", [], "it has 0 vectors for 2 inputs"],
  ["the same index twice", [item(0, [1, 2]), item(0, [1, 2])], "the index 0 occurs twice"],
  ["an index out of range", [item(0, [1, 2]), item(2, [1, 2])], "the index 2 is out of range"],
  [
    "an index that is not a whole number",
    [item(0, [1, 2]), item(0.5, [1, 2])],
    "the index 0.5 is out of range",
  ],
  ["another width", [item(0, [1, 2]), item(1, [1, 2, 3])], "the vector 1 has 3 values instead of 2"],
  ["an empty vector", [item(0, [1, 2]), item(1, [])], "the vector 1 is empty"],
  [
    "a value that is not finite",
    [item(0, [1, 2]), item(1, [1, Number.NaN])],
    "the vector 1 has a value that is not a finite number",
  ],
])("%s is the upstream's failure", async (_name, items, reason) => {
  await expect(async () => verifyEmbeddings({ items, promptTokens: 0 }, expected)).rejects.toThrow(
    `The upstream's reply is not valid: ${reason}.`,
  );
});

test.each([
  ["int8", [-128, 127]],
  ["uint8", [0, 255]],
] as const)("%s vectors are written as integers, and are not normalised", async (outputDtype, values) => {
  const text = Buffer.from(`[${values.map((value) => value.toFixed(1))}]`);
  const items = [{ index: 0, vector: Vector.fromJson([text], 2) }];

  const [vector] = await verifyEmbeddings(
    { items, promptTokens: 0 },
    { ...expected, count: 1, outputDtype, normalizes: true },
  );

  expect(String(vector?.toJson())).toBe(JSON.stringify(values));
});

test.each([
  ["a fraction", "int8", [0.5, 1], "the vector 0 has a value that is not of the type int8"],
  ["more than int8 has", "int8", [0, 128], "the vector 0 has a value that is not of the type int8"],
  ["less than int8 has", "int8", [-129, 0], "the vector 0 has a value that is not of the type int8"],
  ["a negative uint8", "uint8", [0, -1], "the vector 0 has a value that is not of the type uint8"],
  ["more than uint8 has", "uint8", [256, 0], "the vector 0 has a value that is not of the type uint8"],
  ["packed bits", "uint8", [1], "the vector 0 has 1 values instead of 2"],
  ["no integers", "uint8", [], "the vector 0 is empty"],
] as const)(
  "%s in a quantised vector is the upstream's failure",
  async (_name, outputDtype, values, reason) => {
    const items = [item(0, [...values])];

    await expect(
      verifyEmbeddings({ items, promptTokens: 0 }, { ...expected, count: 1, outputDtype }),
    ).rejects.toThrow(`The upstream's reply is not valid: ${reason}.`);
  },
);

test("where no width is declared, all vectors must have the width of the first", async () => {
  const items = [item(0, [1, 2]), item(1, [1, 2, 3])];
  const { dimensions: _dimensions, ...anyWidth } = embeddingModel();

  await expect(async () =>
    verifyEmbeddings({ items, promptTokens: 0 }, { ...expected, model: anyWidth }),
  ).rejects.toThrow("the vector 1 has 3 values instead of 2");
});

test("vectors of another length than 1 are normalised where the target is known for them", async () => {
  const nearlyUnit = item(1, [0.6004, 0.8]);
  const reply = { items: [item(0, [3, 4]), nearlyUnit], promptTokens: 1 };

  const [one, other] = await verifyEmbeddings(reply, { ...expected, normalizes: true });

  expect(one?.toNumbers().map((value) => value.toFixed(4))).toEqual(["0.6000", "0.8000"]);
  // It keeps the encoding in which it arrived.
  expect(other).toBe(nearlyUnit.vector);
});
