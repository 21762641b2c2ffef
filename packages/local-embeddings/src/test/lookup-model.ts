import onnxProto from "onnx-proto";

/** The rows of the word table: one more than the quantiser skips. */
export const rowCount = 5_001;

/** A minimal model: a large table, the rows of it that `ids` selects, and two matrices to multiply them with. */
export function lookupModel(): Uint8Array {
  const { FLOAT, INT64 } = onnxProto.onnx.TensorProto.DataType;
  const matrix = (name: string, dims: [number, number]) => {
    const values = Float32Array.from({ length: dims[0] * dims[1] }, (_, index) => Math.sin(index + dims[1]));
    return { name, dims, dataType: FLOAT, rawData: new Uint8Array(values.buffer) };
  };
  const value = (name: string, elemType: number, dims: readonly number[]) => ({
    name,
    type: { tensorType: { elemType, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } },
  });
  return onnxProto.onnx.ModelProto.encode({
    irVersion: 7,
    opsetImport: [{ domain: "", version: 11 }],
    graph: {
      name: "lookup",
      input: [value("ids", INT64, [3])],
      output: [value("left", FLOAT, [3, 6]), value("right", FLOAT, [3, 6])],
      valueInfo: [value("taken", FLOAT, [3, 8])],
      initializer: [
        matrix("words", [rowCount, 8]),
        matrix("a", [8, 6]),
        matrix("b", [8, 6]),
        matrix("c", [1, 6]),
      ],
      node: [
        { opType: "Gather", name: "gather", input: ["words", "ids"], output: ["taken"] },
        { opType: "MatMul", name: "multiply-a", input: ["taken", "a"], output: ["left"] },
        { opType: "MatMul", name: "multiply-b", input: ["taken", "b"], output: ["product"] },
        { opType: "Add", name: "add", input: ["product", "c"], output: ["right"] },
      ],
    },
  }).finish();
}
