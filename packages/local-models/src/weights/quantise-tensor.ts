import onnxProto from "onnx-proto";

/** A scale for each column or each row, and the integer that the largest value of each becomes. */
export interface QuantisedRange {
  readonly along: "columns" | "rows";
  readonly largest: 63 | 127;
}

/** Turns a float32 matrix into int8 values around zero with float32 scales. */
export function quantiseTensor(tensor: onnxProto.onnx.ITensorProto, { along, largest }: QuantisedRange) {
  const [rows, columns] = [Number(tensor.dims?.[0]), Number(tensor.dims?.[1])];
  const floats = readFloats(tensor);
  if (floats.length !== rows * columns) throw new Error(`The tensor ${tensor.name} has lost values.`);
  const scaleOf = (index: number) => (along === "columns" ? index % columns : Math.floor(index / columns));
  const scales = new Float32Array(along === "columns" ? columns : rows);
  const values = new Int8Array(floats.length);

  for (let index = 0; index < floats.length; index += 1) {
    const scale = scaleOf(index);
    scales[scale] = Math.max(scales[scale] ?? 0, Math.abs(floats[index] ?? 0) / largest);
  }
  for (let index = 0; index < floats.length; index += 1) {
    // A column of zeros has the scale zero, and stays zero.
    const steps = Math.round((floats[index] ?? 0) / (scales[scaleOf(index)] || 1));
    // Rounding the scale to float32 can push the largest value past its integer.
    values[index] = Math.max(-largest, Math.min(largest, steps));
  }

  const { INT8, FLOAT } = onnxProto.onnx.TensorProto.DataType;
  // Rows are gathered with their scale, which must then stretch over the columns: hence [rows, 1].
  const scaleDims = along === "columns" ? [columns] : [rows, 1];
  return {
    values: { dims: [rows, columns], dataType: INT8, rawData: new Uint8Array(values.buffer) },
    scales: { dims: scaleDims, dataType: FLOAT, rawData: new Uint8Array(scales.buffer) },
  };
}

function readFloats(tensor: onnxProto.onnx.ITensorProto): Float32Array {
  if (!tensor.rawData?.length) return Float32Array.from(tensor.floatData ?? []);
  // A copy, since the bytes inside the file need not start at a multiple of four.
  return new Float32Array(new Uint8Array(tensor.rawData).buffer);
}
