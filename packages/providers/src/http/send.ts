import type { Readable } from "node:stream";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Call } from "../call.js";
import type { ProviderTools } from "../provider.js";
import type { ConnectionSettings } from "./connection/connect.js";
import { type OtherHost, UpstreamOrigins } from "./connection/origins.js";
import {
  type Authentication,
  type Authenticator,
  isAuthenticator,
  type SignableRequest,
} from "./credentials/authentication.js";
import type { SentRequest } from "./errors/quotable-message.js";
import { errorFromReply, type ReadError } from "./errors/upstream-errors.js";
import { Exchange, type ReplyHead } from "./exchange.js";

export interface OutgoingRequest {
  /** Default: POST. */
  readonly method?: "POST" | "GET" | "PUT" | "DELETE";
  /** Below the upstream's base URL, with a leading slash. Or a whole URL, on this upstream or on a host it names. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is made for each time that the request is sent. */
  readonly body?: string | Buffer | (() => Readable);
  /** Time limit of this one request. Default: the rest of the attempt. */
  readonly timeoutMs?: number;
}

/** A 2xx reply. Its body is read once, in one of two ways. */
export interface IncomingReply {
  readonly status: number;
  readonly headers: ReplyHead["headers"];
  /** Passes each chunk on as it arrives, and resolves after the last one. */
  readonly read: (onChunk: (chunk: Buffer) => void) => Promise<void>;
  /** The same with backpressure: the connection pauses while the reader is slow. */
  readonly chunks: () => AsyncIterable<Buffer>;
}

/** Sends a request to the upstream of a call. `UpstreamClient` implements it; tests pass their own. */
export type Send = (request: OutgoingRequest, call: Call) => Promise<IncomingReply>;

export interface UpstreamClientOptions extends ConnectionSettings {
  readonly baseUrl: string;
  readonly authentication: Authentication;
  /** Sent with every request to the base URL's own host. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Reads a reply with a status other than 2xx. */
  readonly readError: ReadError;
  /** Hosts besides the base URL's that links in its replies may lead to. Default: none. */
  readonly otherHosts?: readonly OtherHost[] | undefined;
}

const errorBytesMax = 64 * 1024;

/** The connections of one upstream. It follows no redirect: a key must not go where the upstream points. */
export class UpstreamClient {
  readonly #origins: UpstreamOrigins;
  readonly #authenticator: Authenticator | undefined;
  readonly #readError: ReadError;
  /** The headers of every request: names and values in turn. */
  readonly #headers: readonly string[];
  readonly #tools: Pick<ProviderTools, "replies">;

  constructor(options: UpstreamClientOptions, tools: Pick<ProviderTools, "replies">) {
    const { authentication, headers = {} } = options;
    const isDynamic = isAuthenticator(authentication);
    this.#authenticator = isDynamic ? authentication : undefined;
    this.#headers = [...(isDynamic ? [] : authentication), ...Object.entries(headers).flat()];
    this.#readError = options.readError;
    this.#origins = new UpstreamOrigins(options);
    this.#tools = tools;
  }

  /** Rejects with a GatewayError on a timeout, a network failure or a status other than 2xx. */
  send(request: OutgoingRequest, call: Call): Promise<IncomingReply> {
    return this.#authenticator === undefined
      ? this.#exchange(request, call, this.#headers)
      : this.#sendAuthenticated(request, call, this.#authenticator);
  }

  close(): Promise<void> {
    return this.#origins.close();
  }

  async #sendAuthenticated(
    request: OutgoingRequest,
    call: Call,
    authenticator: Authenticator,
  ): Promise<IncomingReply> {
    const headers = await this.#authenticate(request, call, authenticator);
    try {
      return await this.#exchange(request, call, this.#withOwn(headers));
    } catch (failure) {
      const isRefused = failure instanceof GatewayError && failure.code === "upstream_auth_error";
      if (!isRefused || failure.upstreamStatus === undefined || !authenticator.renew(failure, headers))
        throw failure;
      const renewed = await this.#authenticate(request, call, authenticator);
      return this.#exchange(request, call, this.#withOwn(renewed));
    }
  }

  #withOwn(headers: readonly string[]): readonly string[] {
    return this.#headers.length === 0 ? headers : [...headers, ...this.#headers];
  }

  #authenticate(
    request: OutgoingRequest,
    call: Call,
    authenticator: Authenticator,
  ): readonly string[] | Promise<readonly string[]> {
    const signable: SignableRequest = {
      method: request.method ?? "POST",
      url: this.#origins.urlOf(request.path),
      headers: request.headers,
      body: request.body,
    };
    return authenticator.authenticate(signable, call);
  }

  async #exchange(
    request: OutgoingRequest,
    call: Call,
    ownHeaders: readonly string[],
  ): Promise<IncomingReply> {
    const { signal } = call;
    signal.throwIfAborted();
    const { body } = request;
    const origin = this.#origins.find(request.path);
    const timeoutMs = timeoutOf(request, call);
    const exchange = new Exchange(call, this.#tools.replies, { timeoutMs, host: origin.host });
    origin.pool.dispatch(
      {
        method: request.method ?? "POST",
        path: origin.pathOf(request.path),
        headers: headersOf(request, call, origin.takesCredentials ? ownHeaders : []),
        body: typeof body === "function" ? body() : (body ?? null),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      exchange,
    );
    const head = await exchange.head;
    if (head.status < 200 || head.status > 299)
      throw await readFailure(exchange, head, { read: this.#readError, sent: sentRequest(request, call) });
    const memory = call.takeMemory?.(signal);
    if (memory !== undefined) await exchange.during(memory);
    return {
      status: head.status,
      headers: head.headers,
      read: (onChunk) => exchange.read(onChunk),
      chunks: () => exchange.chunks(),
    };
  }
}

function timeoutOf({ timeoutMs }: OutgoingRequest, { remainingMs }: Call): number {
  const leftMs = Math.max(1, Math.ceil(remainingMs));
  return timeoutMs === undefined ? leftMs : Math.min(timeoutMs, leftMs);
}

/** Names and values in turn: the form that undici writes fastest. */
function headersOf({ headers }: OutgoingRequest, call: Call, fixed: readonly string[]): string[] {
  const list = [...fixed];
  for (const name in headers) list.push(name, headers[name] ?? "");
  for (const name in call.headers) list.push(name, call.headers[name] ?? "");
  return list;
}

/** Reads the start of an error's body, which holds its message. */
async function readFailure(
  exchange: Exchange,
  { status, headers }: ReplyHead,
  { read, sent }: { readonly read: ReadError; readonly sent: SentRequest },
): Promise<GatewayError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of exchange.chunks()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > errorBytesMax) break;
  }
  return errorFromReply({ status, headers, body: Buffer.concat(chunks).toString("utf8"), sent }, read);
}

/** For a comparison with the error's message. A stream cannot be read again. */
function sentRequest({ body }: OutgoingRequest, { target: { model } }: Call): SentRequest {
  return { body: typeof body === "function" ? undefined : body, model };
}
