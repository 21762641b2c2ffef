import type { Readable } from "node:stream";
import type { ImageBytes } from "@model-gateway/domain/image-bytes";
import type { DataUrls } from "@model-gateway/domain/image-input";
import type {
  AcceptedBody,
  OperationId,
  PathParameters,
  QueryParameters,
  RequestBody,
  ResponseBody,
} from "@model-gateway/domain/operations";
import type { EditImages } from "@model-gateway/domain/requests";
import type { FileUpload } from "../files/file-service.js";
import type { RequestContext } from "./request-context.js";
import type { UnnamedParameters } from "./validation/extras.js";

/** A file whose bytes have arrived. It exists once its upload is finished. */
export interface ArrivedFile {
  readonly filename: string;
  readonly upload: FileUpload;
}

/** A body as the validator sees it, and what arrived beside it. */
export interface ReadBody {
  readonly body: unknown;
  /** The images of a form. */
  readonly images?: EditImages | undefined;
  /** The file of an upload. */
  readonly file?: ArrivedFile | undefined;
  /** The long data URLs of the body. */
  readonly dataUrls?: DataUrls | undefined;
}

/** A request that has passed validation, free of Express types. */
export type ValidRequest<K extends OperationId> = ValidParts<
  RequestBody<K>,
  PathParameters<K>,
  QueryParameters<K>
>;

/** By its parts, so that operations with the same parts take the same requests. */
interface ValidParts<Body, Parameters, Query> extends Omit<ReadBody, "body"> {
  readonly body: Body;
  /** Body fields beyond the spec. The handler refuses them, unless the model passes them through. */
  readonly extras?: UnnamedParameters | undefined;
  readonly parameters: Parameters;
  readonly context: RequestContext;
  readonly header: (name: string) => string | undefined;
  readonly query: Query;
  /** The content type that the caller prefers among those offered; undefined if it accepts none. */
  readonly accepts: (...types: string[]) => string | undefined;
}

/** A JSON document that may be large, written in chunks. */
export interface ChunkedResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: Iterable<string | Buffer>;
  /** The length of the document, if it is known before the chunks are written. */
  readonly bytes: number | undefined;
  /** Called when all chunks are sent and their buffers may be reused. Not called if the caller has left. */
  readonly onSent?: (() => void) | undefined;
}

/** A file, or a part of it, or nothing of it where the caller has it already. */
export interface FileResponse {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: Readable;
}

/** Text other than JSON. */
export interface TextResponse {
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly text: string;
}

/** A server-sent event. Its `event` line repeats the type. */
export interface StreamedEvent {
  readonly type: string;
  readonly b64_json?: ImageBytes;
}

/** A body that fits the spec, whole or in chunks; or text, a file, or events. */
export type HandlerResponse<K extends OperationId> =
  | ChunkedResponse
  | {
      readonly status: 202;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: AcceptedBody<K>;
    }
  | FileResponse
  | TextResponse
  | {
      readonly status?: 200 | 503;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: ResponseBody<K>;
    }
  | { readonly headers?: Readonly<Record<string, string>>; readonly events: AsyncIterable<StreamedEvent> };

export type Handler<K extends OperationId> = (request: ValidRequest<K>) => Promise<HandlerResponse<K>>;

/** One handler for each operation, built by `createHandlers` (operations/handlers.ts). A missing one does not compile. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** A parameter that is null counts as absent. */
export function withoutNulls<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  // Only keys whose value is null are gone, and those types are excluded above.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> };
}
