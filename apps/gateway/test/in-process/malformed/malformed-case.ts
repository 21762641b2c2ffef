import type { Random } from "@model-gateway/test-suite/random";
import type { RawOptions } from "../../gateway/raw-request.js";
import { testKey } from "../../gateway/test-gateway.js";

/** A malformed request, and the expected outcome. */
export interface MalformedCase {
  readonly name: string;
  /** Every byte of the request. */
  readonly bytes: Buffer;
  readonly options?: RawOptions;
  /**
   * `refused`: an error that the caller is to blame for. `taken or refused`: odd, but possibly intended. `left`: the
   * caller does not wait for a response.
   */
  readonly outcome: "refused" | "taken or refused" | "left";
  /** The status that the refusal must have. */
  readonly status?: number;
  /** The name that `param` must begin with. */
  readonly param?: string;
  /** The header `allow` of a 405. */
  readonly allow?: string;
}

export type CaseKind = (random: Random) => Iterable<MalformedCase>;

export interface Described {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Writes a request byte by byte, with nothing that a client would add or mend. */
export function rawRequest({ method = "POST", path, headers = {}, body = "" }: Described): Buffer {
  const content = Buffer.from(body);
  const all: Record<string, string> = {
    host: "gateway",
    authorization: `Bearer ${testKey}`,
    connection: "close",
    ...(content.length > 0 ? { "content-length": String(content.length) } : {}),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"),
    content,
  ]);
}

export function jsonRequest(path: string, body: Buffer | string): Buffer {
  return rawRequest({
    path,
    headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) },
    body,
  });
}

/** The operations that take JSON, with the smallest body that each accepts. */
export const jsonOperations = [
  { path: "/v1/embeddings", body: { model: "good", input: "a cat" } },
  { path: "/v1/engines/good/embeddings", body: { input: "a cat" } },
  { path: "/v1/images/generations", body: { model: "image", prompt: "a cat" } },
  {
    path: "/v1/images/edits",
    body: {
      model: "image",
      prompt: "a cat",
      images: [{ image_url: "data:image/png;base64,iVBORw0KGgo=" }],
    },
  },
] as const;

export const operationPaths = [
  { path: "/v1/embeddings", method: "POST" },
  { path: "/v1/engines/good/embeddings", method: "POST" },
  { path: "/v1/images/generations", method: "POST" },
  { path: "/v1/images/edits", method: "POST" },
  { path: "/v1/models", method: "GET" },
  { path: "/v1/models/good", method: "GET" },
  { path: "/healthz", method: "GET" },
  { path: "/readyz", method: "GET" },
] as const;
