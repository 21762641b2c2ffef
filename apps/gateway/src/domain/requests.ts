import { GatewayError } from "../errors.js";
import type { RequestBody, Schemas } from "../operations.js";
import type { ReplyBuffers } from "../runtime/response-buffers.js";
import type { ImageInput } from "./image-input.js";
import type { EmbeddingTarget } from "./model.js";
import type { Vector } from "./vector.js";

/** A parameter that is null in a request is absent from here on: `encoding_format: null` reaches no upstream. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** One thing to embed: a text, or the ids of its tokens. */
export type Input = string | readonly number[];

/** What a caller asks. */
export interface EmbeddingRequest {
  readonly input: Schemas["EmbeddingInput"];
  readonly dimensions?: number | undefined;
  readonly encoding_format?: "float" | "base64" | undefined;
  readonly user?: string | undefined;
}

/** What is asked of an upstream in one call. */
export interface EmbeddingBatch {
  readonly inputs: readonly Input[];
  readonly dimensions?: number | undefined;
  /** What the upstream calls `dimensions`. */
  readonly dimensionsField?: string | undefined;
  readonly encoding_format?: "float" | "base64" | undefined;
  readonly user?: string | undefined;
}

export type ImageOptions = Omit<
  Present<RequestBody<"createImage">> & Present<Pick<Schemas["CreateImageEditRequest"], "input_fidelity">>,
  "model" | "prompt"
>;

export interface ImageRequest extends ImageOptions {
  readonly prompt: string;
}

export interface ImageEditRequest extends ImageRequest {
  readonly images: readonly [ImageInput, ...ImageInput[]];
  readonly mask?: ImageInput;
}

/** What an upstream says to an embeddings request, before anyone has checked it. */
export interface EmbeddingReply {
  readonly items: readonly { readonly index: number; readonly vector: Vector }[];
  readonly promptTokens: number;
  /** What the vectors are in, where it is much. */
  readonly buffers?: ReplyBuffers | undefined;
}

export type ImageEvent =
  | Exclude<Schemas["ImageGenerationStreamEvent"], { type: "error" }>
  | Exclude<Schemas["ImageEditStreamEvent"], { type: "error" }>;

/** What an upstream says to an image request: one document, or events as they come when `stream` was asked. */
export type ImageReply =
  | { readonly images: Schemas["ImagesResponse"] }
  | { readonly events: AsyncIterable<ImageEvent> };

/** An upstream refused a batch because of its size, and may have said how much it takes. */
export class BatchTooLargeError extends GatewayError {
  /** Which target refused; known to whoever chose it. */
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
