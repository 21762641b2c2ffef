import onnxProto from "onnx-proto";

/** Rewrites a float32 ONNX model so that its large weights are int8. It is deterministic. */
export function quantise(modelBytes: Uint8Array): Uint8Array {
  const model = onnxProto.onnx.ModelProto.decode(modelBytes);
  const graph = model.graph;
  if (!graph?.node || !graph.initializer) throw new Error("The ONNX file has no graph.");
  const weights = new Map(graph.initializer.map((tensor) => [tensor.name ?? "", tensor]));
  const rewriter: Rewriter = { weights, added: new Map(), quantisedInputs: new Set() };
  const nodes = graph.node.flatMap((node) => rewriteNode(node, rewriter));
  const used = new Set(nodes.flatMap((node) => node.input ?? []));

  graph.node = nodes;
  graph.initializer = [...graph.initializer, ...rewriter.added.values()].filter((tensor) =>
    used.has(tensor.name ?? ""),
  );
  // The recorded shapes name tensors that no longer exist. The runtime infers them again.
  graph.valueInfo = [];
  return onnxProto.onnx.ModelProto.encode(model).finish();
}

type Node = onnxProto.onnx.INodeProto;
type Tensor = onnxProto.onnx.ITensorProto;

interface Rewriter {
  readonly weights: ReadonlyMap<string, Tensor>;
  readonly added: Map<string, Tensor>;
  readonly quantisedInputs: Set<string>;
}

/** A `Gather` over fewer rows is a position or type table, which is too small to be worth the loss of precision. */
const gatherRowsMin = 5_000;
const float32 = 1;
const gatherRange: QuantisedRange = { along: "rows", largest: 127 };
/**
 * Half the range of int8: without VNNI, x86 adds two products of uint8 and int8 in 16 bits, and with 127 that sum
 * can overflow silently. The measured similarities are as close to float32 as with 127.
 * https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html
 */
const matMulRange: QuantisedRange = { along: "columns", largest: 63 };

function rewriteNode(node: Node, rewriter: Rewriter): Node[] {
  const [first = "", second = ""] = node.input ?? [];
  if (node.opType === "MatMul" && isFloatMatrix(rewriter.weights.get(second))) {
    return rewriteMatMul(node, rewriter);
  }
  const table = rewriter.weights.get(first);
  if (node.opType === "Gather" && isFloatMatrix(table) && Number(table.dims?.[0]) > gatherRowsMin) {
    return rewriteGather(node, rewriter);
  }
  return [node];
}

function isFloatMatrix(tensor: Tensor | undefined): tensor is Tensor {
  return tensor?.dataType === float32 && tensor.dims?.length === 2;
}

/** Weights are int8 around zero with a scale for each column; the left side is quantised at run time. */
function rewriteMatMul(node: Node, rewriter: Rewriter): Node[] {
  const [input = "", weight = ""] = node.input ?? [];
  const [output = ""] = node.output ?? [];
  const { values, scales } = addQuantised(weight, matMulRange, rewriter);
  const [bytes, scale, zeroPoint] = [`${input}_int8`, `${input}_int8_scale`, `${input}_int8_zero`];
  const quantiseInput: Node = {
    opType: "DynamicQuantizeLinear",
    name: `${input}_quantise`,
    input: [input],
    output: [bytes, scale, zeroPoint],
  };
  // Query, key and value share one input, which is quantised once.
  const before = rewriter.quantisedInputs.has(input) ? [] : [quantiseInput];
  rewriter.quantisedInputs.add(input);

  return [
    ...before,
    {
      opType: "MatMulInteger",
      name: `${output}_product_multiply`,
      input: [bytes, values, zeroPoint],
      output: [`${output}_product`],
    },
    castToFloat(`${output}_product`, `${output}_product_float`),
    multiply(scale, scales, `${output}_product_scale`),
    multiply(`${output}_product_float`, `${output}_product_scale`, output),
  ];
}

/** Rows are int8 with a scale for each; both are gathered and multiplied. */
function rewriteGather(node: Node, rewriter: Rewriter): Node[] {
  const [table = "", indices = ""] = node.input ?? [];
  const [output = ""] = node.output ?? [];
  const { values, scales } = addQuantised(table, gatherRange, rewriter);
  const gather = (from: string, to: string): Node => ({
    ...node,
    name: `${to}_gather`,
    input: [from, indices],
    output: [to],
  });
  return [
    gather(values, `${output}_row`),
    gather(scales, `${output}_row_scale`),
    castToFloat(`${output}_row`, `${output}_row_float`),
    multiply(`${output}_row_float`, `${output}_row_scale`, output),
  ];
}

function castToFloat(input: string, output: string): Node {
  const to = { name: "to", type: onnxProto.onnx.AttributeProto.AttributeType.INT, i: float32 };
  return { opType: "Cast", name: `${output}_cast`, input: [input], output: [output], attribute: [to] };
}

function multiply(left: string, right: string, output: string): Node {
  return { opType: "Mul", name: `${output}_multiply`, input: [left, right], output: [output] };
}

function addQuantised(name: string, range: QuantisedRange, rewriter: Rewriter) {
  const names = { values: `${name}_int8_${range.along}`, scales: `${name}_scale_${range.along}` };
  const tensor = rewriter.weights.get(name);
  if (tensor && !rewriter.added.has(names.values)) {
    const { values, scales } = quantiseTensor(tensor, range);
    rewriter.added.set(names.values, { ...values, name: names.values });
    rewriter.added.set(names.scales, { ...scales, name: names.scales });
  }
  return names;
}

/** Whether each column or each row has a scale, and the integer that its largest value becomes. */
interface QuantisedRange {
  readonly along: "columns" | "rows";
  readonly largest: 63 | 127;
}

/** Turns a float32 matrix into int8 values around zero with float32 scales. */
export function quantiseTensor(tensor: onnxProto.onnx.ITensorProto, { along, largest }: QuantisedRange) {
  const [rows, columns] = [Number(tensor.dims?.[0]), Number(tensor.dims?.[1])];
  const floats = readFloats(tensor);
  if (floats.length !== rows * columns) throw new Error(`The tensor ${tensor.name} has too few values.`);
  const scaleOf = (index: number) => (along === "columns" ? index % columns : Math.floor(index / columns));
  const scales = new Float32Array(along === "columns" ? columns : rows);
  const values = new Int8Array(floats.length);

  for (let index = 0; index < floats.length; index += 1) {
    const scale = scaleOf(index);
    scales[scale] = Math.max(scales[scale] ?? 0, Math.abs(floats[index] ?? 0) / largest);
  }
  for (let index = 0; index < floats.length; index += 1) {
    // A column of zeros has the scale 0 and stays zero.
    const steps = Math.round((floats[index] ?? 0) / (scales[scaleOf(index)] || 1));
    // Rounding the scale to float32 can push the largest value past its integer.
    values[index] = Math.max(-largest, Math.min(largest, steps));
  }

  const { INT8, FLOAT } = onnxProto.onnx.TensorProto.DataType;
  // [rows, 1]: the scale of a gathered row is broadcast over its columns.
  const scaleDims = along === "columns" ? [columns] : [rows, 1];
  return {
    values: { dims: [rows, columns], dataType: INT8, rawData: new Uint8Array(values.buffer) },
    scales: { dims: scaleDims, dataType: FLOAT, rawData: new Uint8Array(scales.buffer) },
  };
}

function readFloats(tensor: onnxProto.onnx.ITensorProto): Float32Array {
  if (!tensor.rawData?.length) return Float32Array.from(tensor.floatData ?? []);
  // A copy: the bytes in the file may not be aligned to four.
  return new Float32Array(new Uint8Array(tensor.rawData).buffer);
}
