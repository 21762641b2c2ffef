import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { calibratedDtype, type QuantizedDtype } from "@model-gateway/domain/output-dtype";
import { takesWidth } from "./dimensions.js";
import type { VectorForm } from "./serialize.js";

/** A quantised type, and the parameter in which the caller has named it. */
export interface RequestedDtype {
  readonly dtype: QuantizedDtype;
  readonly param: string;
}

/** The vectors that a response has. */
export interface RequestedOutput {
  /** The type that they have as a whole: it is part of their space. Undefined for floats. */
  readonly dtype: QuantizedDtype | undefined;
  /** The type that the model must support: that one, or one that is made of floats beside them. */
  readonly quantized: RequestedDtype | undefined;
  /** The form of the vectors. With several forms, the one that the others are made of. */
  readonly form: VectorForm;
}

/** The output that OpenAI's parameters ask for. */
export function readOutput(body: OutputParameters): RequestedOutput {
  const quantized = readOutputDtype(body);
  return { dtype: quantized?.dtype, quantized, form: formOf(quantized?.dtype, body.encoding_format) };
}

/** Integers of a provider are written like floats, and signs in their own form. */
export function formOf(dtype: QuantizedDtype | undefined, encoding: string | null | undefined): VectorForm {
  if (dtype === "binary" || dtype === "ubinary") return dtype;
  return dtype === undefined && encoding === "base64" ? "base64" : "float";
}

type OutputParameters = Pick<Schemas["CreateEmbeddingRequest"], "encoding_format" | "output_dtype">;

/** The quantised type that a request asks for, in one parameter or in both. Undefined for floats. */
export function readOutputDtype({
  encoding_format: format,
  output_dtype: dtype,
}: OutputParameters): RequestedDtype | undefined {
  const synonym = format === "float" || format === "base64" ? null : format;
  if (synonym == null)
    return dtype == null || dtype === "float" ? undefined : { dtype, param: "output_dtype" };
  if (dtype == null || dtype === synonym) return { dtype: synonym, param: "encoding_format" };
  throw errorOf("invalid_value", {
    param: "output_dtype",
    reason: `it is '${dtype}', but 'encoding_format' is '${synonym}'; a response has one type`,
  });
}

/** Refuses a type that the model's vectors cannot have, as far as its width is known. */
export function checkOutputDtype(
  { dtype, param }: RequestedDtype,
  model: EmbeddingModel,
  dimensions: number | undefined,
): void {
  const calibrated = calibratedDtype(dtype);
  if (calibrated === undefined) {
    const width = dimensions ?? model.dimensions;
    if (width !== undefined)
      checkDivisible(width, { dtype, param: dimensions === undefined ? param : "dimensions" });
    return;
  }
  if (model.outputDtypes?.has(calibrated) !== true) throw uncalibrated({ dtype, param }, model);
  const width = dimensions === model.dimensions ? undefined : dimensions;
  if (model.targets.every((target) => takesWidth(target, width))) return;
  const widths = widthsOf(model);
  const supported = widths.length === 0 ? "" : ` Supported values are: ${widths.join(", ")}.`;
  throw errorOf(
    "unsupported_value",
    { param: "dimensions", value: String(dimensions) },
    { hint: `Only the provider can shorten vectors of the type '${dtype}'.${supported}` },
  );
}

/** The known widths that every target makes itself. */
function widthsOf({ targets, dimensions: native }: EmbeddingModel): number[] {
  const listed = targets.flatMap(({ widths = [] }) => widths);
  const common = listed.filter((width) => targets.every((target) => takesWidth(target, width)));
  const all = new Set([...common, ...(native === undefined ? [] : [native])]);
  return [...all].sort((one, other) => one - other);
}

/** Eight dimensions make a byte. */
export function checkDivisible(
  width: number,
  { dtype, param }: { readonly dtype: QuantizedDtype; readonly param: string },
): void {
  if (width % 8 === 0) return;
  const value = param === "dimensions" ? String(width) : dtype;
  const hint = `With '${dtype}', the number of dimensions must be divisible by 8, and it is ${width}.`;
  throw errorOf("unsupported_value", { param, value }, { hint });
}

/** The values of `output_dtype` that the model supports. */
export function outputDtypesOf({
  outputDtypes,
  dimensions = 8,
  matryoshka,
}: Pick<EmbeddingModel, "outputDtypes" | "dimensions" | "matryoshka">): ("float" | QuantizedDtype)[] {
  const isPackable = matryoshka || dimensions % 8 === 0;
  return ["float", ...(outputDtypes ?? []), ...(isPackable ? (["binary", "ubinary"] as const) : [])];
}

function uncalibrated({ dtype, param }: RequestedDtype, model: EmbeddingModel): GatewayError {
  const supported = outputDtypesOf(model)
    .map((value) => `'${value}'`)
    .join(", ");
  return errorOf(
    "unsupported_value",
    { param, value: dtype },
    {
      hint: `Its provider does not quantise vectors to ${dtype}, and the gateway cannot: that takes the range of each dimension. Supported values are: ${supported}.`,
    },
  );
}
