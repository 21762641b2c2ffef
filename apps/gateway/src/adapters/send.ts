import type { Readable } from "node:stream";
import { type Dispatcher, Pool } from "undici";
import type { RemoteUpstream } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import type { Call } from "./adapter.js";
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
    const deadline = AbortSignal.timeout(call.timeoutMs);
    const signal = AbortSignal.any([call.signal, deadline]);
    const failed = (failure: unknown): unknown => {
      if (call.signal.aborted) return call.signal.reason;
      return errorFromFailure(failure, { timedOut: deadline.aborted, timeoutMs: call.timeoutMs });
    };
    try {
      const reply = await pool.request({
        method: "POST",
        path: `${prefix}${request.path}`,
        headers: { ...request.headers, ...authorization },
        body: request.body,
        headersTimeout: call.timeoutMs,
        bodyTimeout: call.timeoutMs,
        signal,
      });
      if (reply.statusCode < 200 || reply.statusCode > 299) throw await refusal(reply);
      return incomingReply(reply, failed);
    } catch (failure) {
      throw failure instanceof GatewayError ? failure : failed(failure);
    }
  };
  return { send, close: () => pool.close() };
}

function incomingReply(reply: Dispatcher.ResponseData, failed: (failure: unknown) => unknown): IncomingReply {
  return {
    headers: reply.headers,
    json: async () => {
      const text = await reply.body.text().catch((failure: unknown) => Promise.reject(failed(failure)));
      try {
        return JSON.parse(text);
      } catch {
        // What the parser says quotes the answer, and that is not for the log.
        throw new GatewayError("upstream_invalid_answer", "The upstream's answer is not valid JSON.");
      }
    },
    chunks: async function* () {
      try {
        for await (const chunk of reply.body) yield chunk;
      } catch (failure) {
        throw failed(failure);
      }
    },
  };
}

/** Reads a little of the body of an error, enough for its message. */
async function refusal(reply: Dispatcher.ResponseData): Promise<GatewayError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > errorBytesMax) break;
  }
  return errorFromReply(reply.statusCode, reply.headers, Buffer.concat(chunks).toString("utf8"));
}
