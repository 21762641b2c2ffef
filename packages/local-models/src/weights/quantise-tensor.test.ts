import { expect, test } from "vitest";
import { quantiseTensor } from "./quantise-tensor.js";

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
    "The tensor t has lost values.",
  );
});
