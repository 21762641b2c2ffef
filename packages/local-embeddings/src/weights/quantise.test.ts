import onnxProto from "onnx-proto";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { lookupModel, rowCount } from "../test/lookup-model.js";
import { quantise, quantiseTensor } from "./quantise.js";

async function run(model: Uint8Array): Promise<number[]> {
  const session = await InferenceSession.create(model);
  const ids = new Tensor("int64", BigInt64Array.of(0n, 7n, BigInt(rowCount - 1)), [3]);
  const { left, right } = await session.run({ ids });
  return [left, right].flatMap((output) => [...(output!.data as Float32Array)]);
}

test("the int8 model's outputs are close to those of the float model", async () => {
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
  expect(() => quantise(new Uint8Array())).toThrow("The ONNX file has no graph.");
});

const tensor = { name: "t", dims: [2, 3], dataType: 1, floatData: [63, -12.6, 0, -31.4, 6.2, 0] };
const int8 = (bytes: Uint8Array) => [...new Int8Array(bytes.buffer)];
const float32 = (bytes: Uint8Array) => [...new Float32Array(bytes.buffer)];

test("each column is measured by its own largest value, and a column of zeros stays zero", () => {
  const { values, scales } = quantiseTensor(tensor, { along: "columns", largest: 63 });

  expect(int8(values.rawData)).toEqual([63, -63, 0, -31, 31, 0]);
  expect(float32(scales.rawData)).toEqual([1, Math.fround(0.2), 0]);
  expect([values.dims, scales.dims]).toEqual([[2, 3], [3]]);
});

test("each row is measured by its own largest value", () => {
  const { values, scales } = quantiseTensor(tensor, { along: "rows", largest: 127 });

  expect(int8(values.rawData)).toEqual([127, -25, 0, -127, 25, 0]);
  expect(float32(scales.rawData)).toEqual([Math.fround(63 / 127), Math.fround(31.4 / 127)]);
  expect([values.dims, scales.dims]).toEqual([
    [2, 3],
    [2, 1],
  ]);
});

test("a tensor with fewer values than its shape is refused", () => {
  const short = { ...tensor, floatData: [1, 2] };

  expect(() => quantiseTensor(short, { along: "rows", largest: 127 })).toThrow(
    "The tensor t has too few values.",
  );
});
