import { GatewayError } from "../errors.js";
import type { RequestBody, Schemas } from "../operations.js";
import type { ImageInput } from "./image-input.js";
import type { EmbeddingTarget } from "./model.js";
import type { Vector } from "./vector.js";

/** A parameter that is null in a request is absent here: `encoding_format: null` is not sent to an upstream. */
type WithoutNull<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** One input to embed: a text, or the ids of its tokens. */
export type Input = string | readonly number[];

/** The request of a caller. */
export interface EmbeddingRequest {
  readonly input: Schemas["EmbeddingInput"];
  readonly dimensions?: number | undefined;
  readonly encoding_format?: "float" | "base64" | undefined;
  readonly user?: string | undefined;
}

/** The inputs of one call to an upstream. */
export interface EmbeddingBatch {
  readonly inputs: readonly Input[];
  readonly dimensions?: number | undefined;
  /** The upstream's name for `dimensions`. */
  readonly dimensionsField?: string | undefined;
  readonly encoding_format?: "float" | "base64" | undefined;
  readonly user?: string | undefined;
}

export type ImageOptions = Omit<
  WithoutNull<RequestBody<"createImage">> &
    WithoutNull<Pick<Schemas["CreateImageEditRequest"], "input_fidelity">>,
  "model" | "prompt"
>;

export interface ImageRequest extends ImageOptions {
  readonly prompt: string;
}

export interface ImageEditRequest extends ImageRequest {
  readonly images: readonly [ImageInput, ...ImageInput[]];
  readonly mask?: ImageInput;
}

/** The reply of an upstream to an embeddings request, not yet verified. */
export interface EmbeddingReply {
  readonly items: readonly { readonly index: number; readonly vector: Vector }[];
  readonly promptTokens: number;
}

export type ImageEvent =
  | Exclude<Schemas["ImageGenerationStreamEvent"], { type: "error" }>
  | Exclude<Schemas["ImageEditStreamEvent"], { type: "error" }>;

/** The reply of an upstream to an image request: one document, or a stream of events. */
export type ImageReply =
  | { readonly images: Schemas["ImagesResponse"] }
  | { readonly events: AsyncIterable<ImageEvent> };

/** An upstream refused a batch because of its size. Its reply may have named the limit. */
export class BatchTooLargeError extends GatewayError {
  /** The target that refused. The dispatcher sets it, because a provider does not know its target. */
  target: EmbeddingTarget | undefined;

  constructor(
    message: string,
    readonly limit: { readonly maxInputs?: number; readonly maxTokens?: number },
    options: { cause?: unknown } = {},
  ) {
    super("upstream_rejected", message, { param: "input", ...options });
    this.name = "BatchTooLargeError";
  }
}
