import onnxProto from "onnx-proto";
import { type QuantisedRange, quantiseTensor } from "./quantise-tensor.js";

/** Rewrites a float32 ONNX model so that its large weights are int8; the same bytes in give the same bytes out. */
export function quantise(modelBytes: Uint8Array): Uint8Array {
  const model = onnxProto.onnx.ModelProto.decode(modelBytes);
  const graph = model.graph;
  if (!graph?.node || !graph.initializer) throw new Error("The ONNX file holds no graph.");
  const weights = new Map(graph.initializer.map((tensor) => [tensor.name ?? "", tensor]));
  const rewriter: Rewriter = { weights, added: new Map(), quantisedInputs: new Set() };
  const nodes = graph.node.flatMap((node) => rewriteNode(node, rewriter));
  const used = new Set(nodes.flatMap((node) => node.input ?? []));

  graph.node = nodes;
  graph.initializer = [...graph.initializer, ...rewriter.added.values()].filter((tensor) =>
    used.has(tensor.name ?? ""),
  );
  // The recorded shapes name tensors that no longer exist; the runtime infers them anew.
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

/** A `Gather` over fewer rows is a position or type table: too small to be worth its loss. */
const gatherRowsMin = 5_000;
const float32 = 1;
const gatherRange: QuantisedRange = { along: "rows", largest: 127 };
/**
 * Half the range of int8: without VNNI, x86 adds two products of uint8 and int8 in 16 bits, and with 127 that sum
 * can overflow unseen. The similarities measured as close to float32 as they do with 127.
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
  // Query, key and value read one tensor, which is quantised once for all three.
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
