import type { Readable } from "node:stream";
import { Pool } from "undici";
import type { RemoteUpstream } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import type { Call } from "./adapter.js";
import { Exchange, type Reply } from "./exchange.js";
import { errorFromFailure, errorFromReply } from "./upstream-error.js";

export interface OutgoingRequest {
  /** Below the upstream's base URL, with a leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
}

export interface IncomingReply {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: () => Promise<unknown>;
  readonly chunks: () => AsyncIterable<Buffer>;
}

/** The only way out. Rejects with a GatewayError on a timeout, a network failure or a status other than 2xx. */
export type Send = (request: OutgoingRequest, call: Call) => Promise<IncomingReply>;

export interface UpstreamClient {
  readonly send: Send;
  readonly close: () => Promise<void>;
}

const connectTimeoutMs = 10_000;
const keepAliveMs = 60_000;
const connectionsMax = 256;
const answerBytesMax = 256 * 1024 * 1024;
const errorBytesMax = 64 * 1024;

/** Opens the connection pool of one upstream. */
export function createUpstreamClient(upstream: RemoteUpstream): UpstreamClient {
  const base = new URL(upstream.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, "");
  const pool = new Pool(base.origin, {
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    maxResponseSize: answerBytesMax,
  });
  const authorization = upstream.apiKey === undefined ? {} : { authorization: `Bearer ${upstream.apiKey}` };

  const send: Send = async (request, call) => {
    const { signal, timeoutMs } = call;
    signal.throwIfAborted();
    let isLate = false;
    const exchange = new Exchange(() => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", leave);
    });
    const leave = () => exchange.abort(signal.reason);
    const deadline = setTimeout(() => {
      isLate = true;
      exchange.abort(new Error("The time for this call is over."));
    }, timeoutMs);
    signal.addEventListener("abort", leave, { once: true });
    const failed = (failure: unknown): unknown =>
      signal.aborted ? signal.reason : errorFromFailure(failure, { timedOut: isLate, timeoutMs });
    try {
      pool.dispatch(
        {
          method: "POST",
          path: `${prefix}${request.path}`,
          headers: { ...request.headers, ...call.headers, ...authorization },
          body: request.body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        },
        exchange,
      );
      const { status, headers } = await exchange.reply;
      if (status < 200 || status > 299) throw await refusal(exchange, { status, headers });
      return incomingReply(exchange, headers, failed);
    } catch (failure) {
      exchange.abort(failure);
      throw failure instanceof GatewayError ? failure : failed(failure);
    }
  };
  return { send, close: () => pool.close() };
}

function incomingReply(
  exchange: Exchange,
  headers: Reply["headers"],
  failed: (failure: unknown) => unknown,
): IncomingReply {
  return {
    headers,
    chunks: () => exchange.chunks(failed),
    json: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of exchange.chunks(failed)) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf8");
      try {
        return JSON.parse(text);
      } catch {
        // What the parser says quotes the answer, and that is not for the log.
        throw new GatewayError("upstream_invalid_answer", "The upstream's answer is not valid JSON.");
      }
    },
  };
}

/** Reads a little of the body of an error, enough for its message. */
async function refusal(exchange: Exchange, { status, headers }: Reply): Promise<GatewayError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of exchange.chunks((failure) => failure)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > errorBytesMax) break;
  }
  return errorFromReply(status, headers, Buffer.concat(chunks).toString("utf8"));
}
