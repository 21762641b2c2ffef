import onnxProto from "onnx-proto";

/** A model with one input and one vector per text: the mean of rows in a two-dimensional table. */
export function sentenceModel(vocabularySize: number): Uint8Array {
  const { FLOAT, INT64 } = onnxProto.onnx.TensorProto.DataType;
  const { INT, INTS } = onnxProto.onnx.AttributeProto.AttributeType;
  const table = Float32Array.from({ length: vocabularySize * 2 }, (_, index) => (index % 2 === 0 ? 3 : 4));
  const value = (
    name: string,
    elemType: number,
    dims: readonly onnxProto.onnx.TensorShapeProto.IDimension[],
  ) => ({
    name,
    type: { tensorType: { elemType, shape: { dim: [...dims] } } },
  });
  return onnxProto.onnx.ModelProto.encode({
    irVersion: 7,
    opsetImport: [{ domain: "", version: 11 }],
    graph: {
      name: "sentence",
      input: [value("input_ids", INT64, [{ dimParam: "batch" }, { dimParam: "tokens" }])],
      output: [value("sentence_embedding", FLOAT, [{ dimParam: "batch" }, { dimValue: 2 }])],
      initializer: [
        { name: "table", dims: [vocabularySize, 2], dataType: FLOAT, rawData: new Uint8Array(table.buffer) },
      ],
      node: [
        { opType: "Gather", input: ["table", "input_ids"], output: ["tokens"] },
        {
          opType: "ReduceMean",
          input: ["tokens"],
          output: ["sentence_embedding"],
          attribute: [
            { name: "axes", type: INTS, ints: [1] },
            { name: "keepdims", type: INT, i: 0 },
          ],
        },
      ],
    },
  }).finish();
}
