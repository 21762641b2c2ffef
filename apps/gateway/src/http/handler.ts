import type { Readable } from "node:stream";
import type { ImageInput } from "../domain/image-input.js";
import type { ImageEvent } from "../domain/requests.js";
import type {
  OperationId,
  PathParameters,
  QueryParameters,
  RequestBody,
  ResponseBody,
} from "../operations.js";
import type { RequestContext } from "./request/request-context.js";

/** A request that fits the spec, without anything of Express. */
export interface ValidRequest<K extends OperationId> {
  readonly body: RequestBody<K>;
  readonly parameters: PathParameters<K>;
  readonly context: RequestContext;
  readonly header: (name: string) => string | undefined;
  readonly query: QueryParameters<K>;
  /** The content type that the caller likes best, of those that are offered; undefined where it likes none. */
  readonly accepts: (...types: string[]) => string | undefined;
  /** The files of a form. */
  readonly images?: { readonly images: readonly ImageInput[]; readonly mask?: ImageInput } | undefined;
}

/** A JSON document that is written in pieces, because it may be large. */
export interface ChunkedResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: Iterable<string | Buffer>;
  /** How many bytes they have together, where that is known before they are made. */
  readonly bytes: number | undefined;
  /** Told when nobody reads the pieces any more, because all of them have been sent; not told where the caller has left. */
  readonly onSent?: (() => void) | undefined;
}

/** A file, or a part of it. */
export interface FileResponse {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: Readable;
}

/** A text that is not JSON. */
export interface TextResponse {
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly text: string;
}

/** What a handler answers with: a body in the form of the spec, whole or in pieces, a text, a file, or events. */
export type HandlerResponse<K extends OperationId> =
  | ChunkedResponse
  | FileResponse
  | TextResponse
  | {
      readonly status?: 200 | 503;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: ResponseBody<K>;
    }
  | { readonly headers?: Readonly<Record<string, string>>; readonly events: AsyncIterable<ImageEvent> };

export type Handler<K extends OperationId> = (request: ValidRequest<K>) => Promise<HandlerResponse<K>>;

/** An operation of the spec without a handler does not compile. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** A parameter that is null is a parameter that was not given. */
export function withoutNulls<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  // Only keys whose value is null are gone, and those types are excluded above.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> };
}
