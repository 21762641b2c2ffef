import type { FormFiles } from "./form.js";
import type { ImageLink } from "./images/image-link.js";
import type { DocumentAt, EventOf, FailureOf, OperationId, QueryOf } from "./operations.js";
import type {
  CallOptions,
  EmbeddingOptions,
  ImageOptions,
  JobOptions,
  StreamOptions,
} from "./request-options.js";
import type { NotReady, Readiness } from "./responses/readiness.js";
import type { Result, Success } from "./responses/result.js";
import type { ClientMethods, operations } from "./spec.js";

/**
 * The methods for every operation of the spec. Editors show the comments of the generated table, because the keys of this
 * type are its keys.
 */
export type GatewayClient = {
  readonly [Name in keyof ClientMethods]: Name extends keyof SpecialMethods
    ? SpecialMethods[Name]
    : Method<ClientMethods[Name]>;
};

/** The methods that are more than a request and its response. */
export interface SpecialMethods {
  readonly retrieveImageFile: (
    link: ImageLink,
    options?: CallOptions,
  ) => Promise<Result<Blob, FailureOf<"retrieveImageFile">>>;
  readonly checkReadiness: (
    query?: QueryOf<"checkReadiness">,
    options?: CallOptions,
  ) => Promise<Success<Readiness> | NotReady>;
}

type AnyMethod = ClientMethods[keyof ClientMethods];

type Method<Of extends AnyMethod> = (
  ...given: [...Arguments<Of["takes"], Of["returns"]>, options?: OptionsOf<Of>]
) => Of["returns"] extends "pages"
  ? AsyncIterableIterator<EntryOf<Of["operation"]>>
  : Promise<Result<Returned<Of>, FailureOf<Of["operation"]>>>;

type Returned<Of extends AnyMethod> = Of["returns"] extends "document"
  ? DocumentAt<Of["operation"]>
  : Of["returns"] extends "job"
    ? DocumentAt<Of["operation"], 202>
    : Of["returns"] extends "events"
      ? AsyncIterable<EventOf<Of["operation"]>>
      : Of["returns"] extends "bytes"
        ? Blob
        : string;

type EntryOf<K extends OperationId> =
  DocumentAt<K> extends { data: readonly (infer Entry)[] } ? Entry : never;

/** The types of the arguments, with the labels of the table. */
type Arguments<Takes extends readonly unknown[], Returns> = {
  [Index in keyof Takes]: Argument<Takes[Index], Returns>;
};

type Argument<Given, Returns> = Given extends { stream?: unknown }
  ? Returns extends "events"
    ? Streamed<FormFiles<Given>>
    : Whole<FormFiles<Given>>
  : Given extends object
    ? FormFiles<Given>
    : Given;

/** A body of an image operation whose response is one document. */
type Whole<Body> = Omit<Body, "stream" | "partial_images"> & { readonly stream?: false | null };

/** A body of an image operation whose response is a stream. The client adds `stream`. */
type Streamed<Body> = Omit<Body, "stream"> & { readonly stream?: true };

/** The options that an operation has a header for. */
type OptionsOf<Of extends AnyMethod> =
  "idempotency-key" extends HeaderOf<Of["operation"]>
    ? Of["returns"] extends "events"
      ? StreamOptions
      : ImageOptions
    : "cache-control" extends HeaderOf<Of["operation"]>
      ? EmbeddingOptions
      : "prefer" extends HeaderOf<Of["operation"]>
        ? JobOptions
        : CallOptions;

type HeaderOf<K extends OperationId> = operations[K] extends { parameters: { header?: infer Headers } }
  ? [NonNullable<Headers>] extends [never]
    ? never
    : keyof NonNullable<Headers>
  : never;
