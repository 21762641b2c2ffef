import createFetchClient from "openapi-fetch";
import type { Exchange } from "./responses/result.js";
import type { Fetch } from "./retry.js";

/**
 * Sends requests to the paths of the spec. Only this file imports openapi-fetch, and its replacement would have this type
 * (decision 0008).
 */
export type HttpClient = (method: string, path: string, request: HttpRequest) => Promise<Exchange>;

export interface HttpRequest {
  readonly params: { readonly path: object; readonly query: object };
  /** An object is sent as JSON. */
  readonly body?: object | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | null;
  readonly parseAs: "text" | "stream" | "blob";
}

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch: Fetch;
}

export function connect({ baseUrl, apiKey, headers, fetch }: Connection): HttpClient {
  const { request } = createFetchClient({
    baseUrl,
    headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    // The spec sends a list as one parameter with commas, not as a repeated parameter.
    querySerializer: { array: { style: "form", explode: false } },
    fetch,
    Request: RepeatableRequest,
  });
  // The generated table has the path and the parameters; the types of the methods check what a caller passes.
  return request as unknown as HttpClient;
}

/**
 * A request whose clone has the body that this one was given, for a retry. The clone of a plain request shares its
 * stream, and keeps in memory what the other has sent: all of an upload.
 */
export class RepeatableRequest extends Request {
  constructor(url: string | URL | Request, settings?: RequestInit) {
    super(url, settings);
    // Not a method here: it is one in the types of browsers, and a property in those of Node.
    Object.defineProperty(this, "clone", { value: () => new RepeatableRequest(url, settings) });
  }
}
