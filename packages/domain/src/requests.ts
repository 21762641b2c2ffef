import type { ContentForm, ContentInput } from "./content-input.js";
import { detailOf, type ErrorDetail, GatewayError, withStackOf } from "./errors.js";
import type { ImageBytes } from "./image-bytes.js";
import type { ImageInput } from "./image-input.js";
import type { MediaTokens } from "./media-input.js";
import type { EmbeddingTarget } from "./model.js";
import type { ModelOperation, RequestBody, Schemas } from "./operations.js";
import type { CalibratedDtype, QuantizedDtype } from "./output-dtype.js";
import type { Vector } from "./vector.js";

/** A parameter that is null in a request is absent here: `encoding_format: null` is not sent to an upstream. */
type WithoutNull<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** One input to embed. */
export type Input = TextInput | ContentInput;

/** A text, or the ids of its tokens. */
export type TextInput = string | readonly number[];

export function isContent(input: Input): input is ContentInput {
  return typeof input === "object" && !Array.isArray(input);
}

/** Parameters that the spec does not name, for the upstream alone. */
export type Extras = Readonly<Record<string, unknown>>;

/** Extras that the model accepts. Equal ones have the same key. */
export interface AcceptedExtras {
  readonly values: Extras;
  readonly key: string;
}

/** The parameters that the spec names. They are never extras. */
export const namedParameters: Readonly<Record<NamedParameter, true>> = {
  model: true,
  input: true,
  messages: true,
  continue_final_message: true,
  add_special_tokens: true,
  dimensions: true,
  encoding_format: true,
  output_dtype: true,
  output_dimension: true,
  truncation: true,
  user: true,
  prompt: true,
  image: true,
  images: true,
  mask: true,
  size: true,
  quality: true,
  background: true,
  n: true,
  moderation: true,
  output_compression: true,
  output_format: true,
  response_format: true,
  style: true,
  input_fidelity: true,
  stream: true,
  partial_images: true,
  safety_identifier: true,
  complexity: true,
  frame_count: true,
  frame_duration_ms: true,
  svg: true,
  markup: true,
  input_type: true,
  seed: true,
  negative_prompt: true,
};

type NamedParameter = { [K in ModelOperation]: KeyOf<RequestBody<K>> }[ModelOperation];
type KeyOf<Union> = Union extends unknown ? keyof Union : never;

/** The request of a caller. */
export interface EmbeddingRequest {
  readonly input: Schemas["EmbeddingInput"];
  readonly dimensions?: number | undefined;
  readonly encoding_format?: "float" | "base64" | undefined;
  /** Undefined for floats. */
  readonly output_dtype?: QuantizedDtype | undefined;
  readonly input_type?: string | undefined;
  readonly user?: string | undefined;
  readonly extras?: AcceptedExtras | undefined;
}

/** The inputs of one call to an upstream. Texts and contents never share a call. */
export interface EmbeddingBatch<I extends Input = TextInput> {
  readonly inputs: readonly I[];
  /** The form of contents, for servers that differ in it. */
  readonly form?: ContentForm | undefined;
  readonly dimensions?: number | undefined;
  /** The upstream's name for `dimensions`. */
  readonly dimensionsField?: string | undefined;
  /** `base64` if requested, and `float` only if the operator has set it: it is every upstream's default. */
  readonly encoding_format?: "float" | "base64" | undefined;
  /** Integers that the upstream must return. Undefined for floats. */
  readonly outputDtype?: CalibratedDtype | undefined;
  /** The upstream's own word for the purpose of the inputs. */
  readonly inputType?: string | undefined;
  /** The upstream's name for `input_type`. */
  readonly inputTypeField?: string | undefined;
  readonly user?: string | undefined;
  readonly extras?: AcceptedExtras | undefined;
}

/** The same for inputs with images. */
export type ContentBatch = EmbeddingBatch<ContentInput>;

type ImageOptions = Omit<
  WithoutNull<RequestBody<"createImage">> &
    WithoutNull<Pick<Schemas["CreateImageEditRequest"], "input_fidelity">>,
  "model" | "prompt"
>;

export interface ImageRequest extends ImageOptions {
  readonly prompt: string;
  readonly extras?: Extras;
}

/** The images of an edit. */
export interface EditImages {
  readonly images: readonly ImageInput[];
  readonly mask?: ImageInput;
  readonly markup?: ImageInput;
}

/** The images of which there is one at most. */
export const overlayNames = ["mask", "markup"] as const;

export interface ImageEditRequest extends ImageRequest, EditImages {
  readonly images: readonly [ImageInput, ...ImageInput[]];
}

/** The reply of an upstream to an embeddings request, not yet verified. */
export interface EmbeddingReply {
  readonly items: readonly { readonly index: number; readonly vector: Vector }[];
  /** Undefined where the upstream did not report it. */
  readonly promptTokens: number | undefined;
  /** How many of them are those of images. Absent: it does not report it. */
  readonly imageTokens?: number | undefined;
  /** How many are those of media, by kind. Absent: it does not report it. */
  readonly mediaTokens?: MediaTokens | undefined;
  /** The cost of the call that the upstream reports, in US dollars. Absent: it reports none. */
  readonly reportedUsd?: number | undefined;
}

/** An event of a stream in JSON, which names its image by its base64. */
export type ImageEventJson =
  | Exclude<Schemas["ImageGenerationStreamEvent"], { type: "error" }>
  | Exclude<Schemas["ImageEditStreamEvent"], { type: "error" }>;

/** The same on its way: the image becomes text when it is written. */
export type ImageEvent = WithBytes<ImageEventJson>;
/** An image that is not finished. A later one, or the finished one, replaces it. */
export type PartialImage = Extract<ImageEvent, { type: `${string}.partial_image` }>;

/** The images of a response. */
export type ImagesDocument = Omit<Schemas["ImagesResponse"], "data"> & {
  readonly data: readonly WithBytes<Schemas["Image"]>[];
};

type WithBytes<T> = { [K in keyof T]: K extends "b64_json" ? ImageBytes : T[K] };

/** An image of an upstream: its content, or a link to it. */
export type UpstreamImage = { readonly revised_prompt?: string } & (
  | { readonly content: ImageBytes }
  | { readonly url: string }
);

/** The images of an upstream. The quality may be any text: prices may name it, whether or not callers know it. */
export type UpstreamImages = Omit<Schemas["ImagesResponse"], "quality" | "data"> & {
  readonly data: readonly UpstreamImage[];
  readonly quality?: string;
  /** The cost of the call that the upstream reports, in US dollars. */
  readonly reportedUsd?: number;
  /** The seconds of its hardware that the upstream reports. */
  readonly computeSeconds?: number;
};

/** An event of an upstream. Only necessary fields are required, so that an image that was paid for is not lost. */
export interface UpstreamImageEvent {
  readonly type: ImageEvent["type"];
  readonly content: ImageBytes;
  readonly background?: "transparent" | "opaque" | undefined;
  readonly created_at?: number | undefined;
  readonly quality?: string | undefined;
  readonly partial_image_index?: number | undefined;
  readonly usage?: Schemas["ImageUsage"] | undefined;
  /** The cost of the image that the upstream reports, in US dollars. */
  readonly reportedUsd?: number | undefined;
  readonly safety_identifier?: string | null | undefined;
}

/** The reply of an upstream to an image request: one document, or a stream of events. */
export type ImageReply =
  | { readonly images: UpstreamImages }
  | { readonly events: AsyncIterable<UpstreamImageEvent> };

/** The batch limit that an upstream states in a refusal. Empty where it states none. */
export interface StatedLimit {
  readonly maxInputs?: number;
  readonly maxTokens?: number;
  /** The batch has too many tokens, but the reply does not say how many it may have. */
  readonly isAboutTokens?: boolean;
}

/** An upstream refused a batch because of its size. Its reply may have named the limit. */
export class BatchTooLargeError extends GatewayError {
  readonly limit: StatedLimit;
  readonly target: EmbeddingTarget | undefined;

  constructor(message: string, limit: StatedLimit, detail: BatchErrorDetail = {}) {
    super("upstream_rejected", message, { param: "input", ...detail });
    this.name = "BatchTooLargeError";
    this.limit = limit;
    this.target = detail.target;
  }

  override with(context: BatchErrorDetail): BatchTooLargeError {
    const detail = { ...detailOf(this), target: this.target, ...context };
    return withStackOf(this, () => new BatchTooLargeError(this.message, this.limit, detail));
  }
}

interface BatchErrorDetail extends ErrorDetail {
  /** The target that refused. The dispatcher adds it, because a provider does not know its target. */
  readonly target?: EmbeddingTarget | undefined;
}
