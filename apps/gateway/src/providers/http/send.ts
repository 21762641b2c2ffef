import type { Readable } from "node:stream";
import { Pool } from "undici";
import type { GatewayError } from "../../errors.js";
import type { Call, ProviderTools } from "../provider.js";
import { type ConnectionSettings, createConnector } from "./connect.js";
import { errorFromReply } from "./errors.js";
import { Exchange, type ReplyHead } from "./exchange.js";

export interface OutgoingRequest {
  /** Below the upstream's base URL, with a leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
}

/** A reply with a status of 2xx. Its body is read once, in one of two ways. */
export interface IncomingReply {
  readonly headers: ReplyHead["headers"];
  /** Passes each chunk on as it arrives, and resolves after the last one. */
  readonly read: (onChunk: (chunk: Buffer) => void) => Promise<void>;
  /** The same with backpressure: the connection pauses while the reader is slow. */
  readonly chunks: () => AsyncIterable<Buffer>;
}

export interface UpstreamClientOptions extends ConnectionSettings {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const keepAliveMs = 60_000;
const connectionsMax = 256;
const replyBytesMax = 256 * 1024 * 1024;
const errorBytesMax = 64 * 1024;

/** The connection pool of one upstream. */
export class UpstreamClient {
  readonly #pool: Pool;
  readonly #pathPrefix: string;
  /** The headers of every request: names and values in turn. */
  readonly #headers: readonly string[];
  readonly #tools: ProviderTools;

  constructor(options: UpstreamClientOptions, tools: ProviderTools) {
    const { baseUrl, apiKey, headers = {} } = options;
    const base = new URL(baseUrl);
    this.#pathPrefix = base.pathname.replace(/\/+$/, "");
    this.#headers = [
      ...(apiKey === undefined ? [] : ["authorization", `Bearer ${apiKey}`]),
      ...Object.entries(headers).flat(),
    ];
    this.#tools = tools;
    this.#pool = new Pool(base.origin, {
      connections: connectionsMax,
      // Pooled buffers rely on this: a chunk holds bytes of one reply only (`runtime/reply-buffers.ts`).
      pipelining: 1,
      connect: createConnector(options),
      keepAliveTimeout: keepAliveMs,
      maxResponseSize: replyBytesMax,
    });
  }

  /** Rejects with a GatewayError on a timeout, a network failure or a status other than 2xx. */
  async send(request: OutgoingRequest, call: Call): Promise<IncomingReply> {
    const { signal, timeoutMs } = call;
    signal.throwIfAborted();
    const exchange = new Exchange(call, this.#tools.replies);
    this.#pool.dispatch(
      {
        method: "POST",
        path: `${this.#pathPrefix}${request.path}`,
        headers: headersOf(request, call, this.#headers),
        body: request.body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      exchange,
    );
    const head = await exchange.head;
    if (head.status < 200 || head.status > 299) throw await readError(exchange, head);
    const memory = call.takeMemory?.(signal);
    if (memory !== undefined) await exchange.during(memory);
    return {
      headers: head.headers,
      read: (onChunk) => exchange.read(onChunk),
      chunks: () => exchange.chunks(),
    };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Names and values in turn: the form that undici writes fastest. */
function headersOf({ headers }: OutgoingRequest, call: Call, fixed: readonly string[]): string[] {
  const list = [...fixed];
  for (const name in headers) list.push(name, headers[name] ?? "");
  for (const name in call.headers) list.push(name, call.headers[name] ?? "");
  return list;
}

/** Reads the start of an error's body, which holds its message. */
async function readError(exchange: Exchange, { status, headers }: ReplyHead): Promise<GatewayError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of exchange.chunks()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > errorBytesMax) break;
  }
  return errorFromReply(status, headers, Buffer.concat(chunks).toString("utf8"));
}
