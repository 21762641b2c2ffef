import { hash } from "node:crypto";
import { errorOf } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { QuantizedDtype } from "@model-gateway/domain/output-dtype";

/** The properties that distinguish a model's vector spaces. */
interface SpaceOptions {
  readonly width: number;
  readonly inputType: string | undefined;
  /** Identifies the parameters that are passed through. */
  readonly extrasKey: string | undefined;
  /** Undefined for floats. */
  readonly outputDtype?: QuantizedDtype | undefined;
}

const digestLength = 12;

/** Identifies the vector space of a model. Two models whose vectors can be compared have the same. */
export function spaceDigest({
  space,
  revision,
  unitVectors,
}: Pick<EmbeddingModel, "space" | "revision" | "unitVectors">): string {
  return digest(JSON.stringify([space, revision ?? null, unitVectors]));
}

/** The ids of vector spaces, as `x-gateway-space` has them. The digest of a model is computed once. */
export class SpaceIds {
  readonly #digests = new WeakMap<EmbeddingModel, string>();

  /** `space:width-dtype:input type:parameters`, without the parts at the end that are empty, and without float. */
  idOf(model: EmbeddingModel, { width, inputType, extrasKey, outputDtype }: SpaceOptions): string {
    const ofFloats = `${this.#digestOf(model)}:${width}`;
    const start = outputDtype === undefined ? ofFloats : `${ofFloats}-${outputDtype}`;
    if (inputType === undefined && extrasKey === undefined) return start;
    const task = inputType === undefined ? "" : encodeText(inputType);
    return extrasKey === undefined ? `${start}:${task}` : `${start}:${task}:${digest(extrasKey)}`;
  }

  #digestOf(model: EmbeddingModel): string {
    const known = this.#digests.get(model);
    if (known !== undefined) return known;
    const computed = spaceDigest(model);
    this.#digests.set(model, computed);
    return computed;
  }
}

/** Refuses a request whose vectors would be of another space than the caller expects. */
export function checkSpace(expected: string | undefined, actual: string): void {
  if (expected === undefined || expected === actual) return;
  throw errorOf(
    "space_mismatch",
    { expected, actual, difference: difference(expected, actual) },
    { param: "x-gateway-space", recorded: "The request asks for vectors of another space." },
  );
}

function difference(expected: string, actual: string): string {
  const [oldSpace, oldForm = "", oldType = "", oldExtras] = expected.split(":");
  const [space, form = "", type = "", extras] = actual.split(":");
  const [oldWidth, oldDtype = "float"] = oldForm.split("-");
  const [width, dtype = "float"] = form.split("-");
  if (space !== oldSpace) return "it is another vector space, or another revision of the model";
  if (width !== oldWidth)
    return `the vectors have ${width} values instead of ${oldWidth || "an unknown number"}`;
  if (dtype !== oldDtype) return `the output_dtype is ${quoted(dtype)} instead of ${quoted(oldDtype)}`;
  if (type !== oldType) return `the input type is ${quoted(type)} instead of ${quoted(oldType)}`;
  if (extras !== oldExtras) return "other parameters are passed through";
  return "the id has parts that are unknown";
}

function quoted(type: string): string {
  return type === "" ? "absent" : `'${type}'`;
}

/** Any text, in characters that a header may have. A colon is encoded as well. */
export function encodeText(text: string): string {
  // A detour over bytes, because half of a surrogate pair cannot be encoded.
  return encodeURIComponent(Buffer.from(text).toString());
}

function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, digestLength);
}
