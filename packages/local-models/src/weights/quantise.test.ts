import onnxProto from "onnx-proto";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { quantise } from "./quantise.js";
import { lookupModel, rowCount } from "./test/lookup-model.js";

async function run(model: Uint8Array): Promise<number[]> {
  const session = await InferenceSession.create(model);
  const ids = new Tensor("int64", BigInt64Array.of(0n, 7n, BigInt(rowCount - 1)), [3]);
  const { left, right } = await session.run({ ids });
  return [left, right].flatMap((output) => [...(output!.data as Float32Array)]);
}

test("the int8 model answers nearly as the float model does", async () => {
  const expected = await run(lookupModel());

  const found = await run(quantise(lookupModel()));

  const errors = found.map((value, index) => Math.abs(value - expected[index]!));
  expect(Math.max(...errors)).toBeLessThan(0.05);
  expect(Math.max(...errors)).toBeGreaterThan(0);
});

test("large weights become int8, the input of two products is quantised once, and the rest stays", () => {
  const { graph } = onnxProto.onnx.ModelProto.decode(quantise(lookupModel()));

  expect(graph?.node?.map((node) => node.opType)).toEqual([
    ...["Gather", "Gather", "Cast", "Mul"],
    ...["DynamicQuantizeLinear", "MatMulInteger", "Cast", "Mul", "Mul"],
    ...["MatMulInteger", "Cast", "Mul", "Mul"],
    "Add",
  ]);
  expect(graph?.initializer?.map(({ name, dataType }) => [name, dataType])).toEqual([
    ["c", 1],
    ["words_int8_rows", 3],
    ["words_scale_rows", 1],
    ["a_int8_columns", 3],
    ["a_scale_columns", 1],
    ["b_int8_columns", 3],
    ["b_scale_columns", 1],
  ]);
  expect(graph?.valueInfo).toEqual([]);
});

test("the same model gives the same bytes", () => {
  expect(Buffer.from(quantise(lookupModel()))).toEqual(Buffer.from(quantise(lookupModel())));
});

test("a file without a graph is refused", () => {
  expect(() => quantise(new Uint8Array())).toThrow("The ONNX file holds no graph.");
});
