import { createMethod, readArguments, send } from "./call-method.js";
import type { GatewayClient, SpecialMethods } from "./gateway-client.js";
import { connect, type HttpClient } from "./http-client.js";
import { imageUrl, readImage } from "./images/image-link.js";
import { transport } from "./request-options.js";
import { readResponse } from "./responses/read-response.js";
import { type Readiness, withReadiness } from "./responses/readiness.js";
import type { Result } from "./responses/result.js";
import { type Fetch, type RetryOptions, retrying } from "./retry.js";
import { type ClientMethod, clientMethods } from "./spec.js";

export interface ClientSettings {
  /** The root of the gateway, without `/v1`: `https://gateway.example`. In a browser it may be relative or empty. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. Only the probes and image links work without it. */
  readonly apiKey?: string | undefined;
  /**
   * Sent instead of `apiKey` with admin operations. Without `apiKey`, files are read with it. An operator's session may be
   * both.
   */
  readonly adminKey?: string | undefined;
  /** Replaces the global `fetch`. It receives a `Request`. */
  readonly fetch?: Fetch | undefined;
  /** Sent with every request except those for image links. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Retries of calls where that is safe, as the server asks. Default: 2 retries. Probes are never retried. */
  readonly retry?: RetryOptions | undefined;
}

/** Creates a client for one gateway. It keeps no state. */
export function createClient(settings: ClientSettings): GatewayClient {
  const root = rootOf(settings.baseUrl);
  const fetchOnce = fetchOf(settings);
  const fetch = retrying(fetchOnce, settings.retry);
  const connectFor = ({ keys, probe }: ClientMethod) => {
    const apiKey = keys.map((name) => settings[name]).find((key) => key !== undefined);
    return connect({ baseUrl: root, apiKey, headers: settings.headers, fetch: probe ? fetchOnce : fetch });
  };
  const methods = Object.entries<ClientMethod>(clientMethods).map(([name, method]) => [
    name,
    createMethod(method, connectFor(method)),
  ]);
  const special: PlainSpecialMethods = {
    retrieveImageFile: async (link, options) => {
      // Without the headers of the client: a link needs no key, and may point to a host other than the gateway.
      const request = new Request(imageUrl(link, root), transport(options));
      return readImage(await fetch(request));
    },
    checkReadiness: createReadinessCheck(clientMethods.checkReadiness, connectFor),
  };
  // The spec has the types: a method responds as its operation says, and a failure has a code of its status.
  return { ...Object.fromEntries(methods), ...special } as GatewayClient;
}

/** The methods as they are written: a failure has any status and any code. */
type PlainSpecialMethods = {
  readonly [Name in keyof SpecialMethods]: (...given: Parameters<SpecialMethods[Name]>) => Promise<unknown>;
};

/** The failure of a probe says why the gateway is not ready. */
function createReadinessCheck(method: ClientMethod, connectFor: (method: ClientMethod) => HttpClient) {
  const http = connectFor(method);
  return async (...given: unknown[]) => {
    const call = readArguments(method, given);
    const exchange = await send(method, http, call);
    const result = (await readResponse(method, exchange, call.options)) as Result<Readiness>;
    return withReadiness(result, exchange.error);
  };
}

/** The global `fetch` is looked up with each request, as a test or a polyfill may replace it later. */
function fetchOf({ fetch = (request) => globalThis.fetch(request) }: ClientSettings): Fetch {
  return fetch;
}

function rootOf(baseUrl: string): string {
  const root = baseUrl.replace(/\/+$/, "");
  // OpenAI's clients want `/v1` here. Left in, every path would have it twice and every response would be a 404.
  if (root.endsWith("/v1")) throw new TypeError("baseUrl is the root of the gateway: leave out '/v1'.");
  return root;
}
