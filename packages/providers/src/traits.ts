import type { InputImageLimits } from "@model-gateway/domain/content-input";
import type { ImageProfile, MaskForm } from "@model-gateway/domain/image-profile";
import type { ImageProfileName } from "@model-gateway/domain/image-profiles";
import type { MediaKind, MediaLimits } from "@model-gateway/domain/media-input";
import type { InputTypeWords, VocabularyName } from "@model-gateway/domain/model";
import type { CalibratedDtype } from "@model-gateway/domain/output-dtype";

/**
 * Declaration of one embedding model. Read when the configuration is loaded, never for a request. A target's keys
 * override the provider's declaration.
 */
export interface EmbeddingTraits {
  /** The most inputs in one call. Absent: as many as a request may have. */
  readonly maxInputs?: number;
  /** The most tokens in one call, all inputs together. Absent: 300,000. */
  readonly maxTokensPerRequest?: number;
  /** The most characters in one call, all inputs together. Absent: no limit. */
  readonly maxCharactersPerRequest?: number;
  /** The most tokens in one input. A model's `maxTokens` overrides it. */
  readonly maxTokens?: number;
  /** The encodings that can be requested. `float` is a list of numbers. */
  readonly encodings: readonly ("float" | "base64")[];
  /** The quantised types that it can make. Absent: none. */
  readonly outputDtypes?: readonly CalibratedDtype[];
  /** The vocabulary of its tokens, where it is one that the gateway has. Callers may then send token ids. */
  readonly tokenizer?: VocabularyName;
  /** Whether it takes token ids, so that an operator may name their vocabulary on a model. */
  readonly takesTokenIds?: boolean;
  /** The words for `input_type`. Absent: it has no such parameter. */
  readonly inputTypes?: InputTypeWords;
  /** Its name for `input_type`, if it is another and the provider does not rename it. */
  readonly inputTypeField?: string;
  /** Whether a call without an input type is refused, so that the model needs a default. */
  readonly requiresInputType?: boolean;
  /** `pass` if it takes a width, `emulate` if the gateway must shorten its vectors. */
  readonly dimensions: "pass" | "emulate";
  /** The width of its vectors, where it is fixed and known. */
  readonly width?: number;
  /** The only widths that it takes. The gateway shortens to any other. Absent: any. */
  readonly widths?: readonly number[];
  /**
   * The fate of a text that is too long. `refused`: by itself, or because the provider always requests it. `counted`:
   * it would be cut silently, so the provider counts its tokens before it sends it. `unknown`: depends on the server.
   */
  readonly tooLong: "refused" | "counted" | "unknown";
  /** Whether its vectors have a length of 1 at every width. `unknown` vectors are left as they are. */
  readonly unitVectors: "always" | "not-always" | "unknown";
  /** The images that it takes in inputs, where it differs from `defaultInputImageLimits`. Absent: it takes text alone. */
  readonly inputImages?: InputImageTraits;
  /** The documents, audio and video that it takes, if it takes images. Absent: none. */
  readonly inputMedia?: InputMediaTraits;
  /** Whether it takes `user`. */
  readonly takesUser: boolean;
  /** The target keys that it reads, besides those that hold for every provider. */
  readonly targetKeys?: readonly EmbeddingTargetKey[];
}

/** Limits that differ from those of `defaultMediaLimits`. */
export type InputMediaTraits = Readonly<Partial<Record<MediaKind, Partial<MediaLimits>>>>;

export type InputImageTraits = Partial<Omit<InputImageLimits, "form">>;

/** The keys of a target that only some providers read. */
type EmbeddingTargetKey =
  | "inputImages"
  | "inputMedia"
  | "dimensions"
  | "dimensionsField"
  | "encoding"
  | "inputTypeField"
  | "inputTypes";

/** Declaration of one image model. */
export interface ImageTraits {
  /** The options it accepts: a profile, or the name of a common one. */
  readonly profile: ImageProfile | ImageProfileName;
  /** The form in which it wants a mask. The gateway converts masks to it before a call. Absent: it takes no mask. */
  readonly mask?: MaskForm;
}
