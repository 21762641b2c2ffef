import type { Readable } from "node:stream";
import { Pool } from "undici";
import type { RemoteUpstream } from "../../domain/model.js";
import { GatewayError } from "../../errors.js";
import type { Call } from "../provider.js";
import { errorFromReply } from "./errors.js";
import { Exchange, type Reply } from "./exchange.js";

export interface OutgoingRequest {
  /** Below the upstream's base URL, with a leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
}

/** A reply with a status of 2xx. Its body is read once, in one of three ways. */
export interface IncomingReply {
  readonly headers: Reply["headers"];
  readonly json: () => Promise<unknown>;
  /** Hands over the body as it comes, and resolves after the last of it. */
  readonly read: (take: (chunk: Buffer) => void) => Promise<void>;
  /** The same for one who cannot take it as fast as it comes. */
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
    // Also because of the memory of answers: what is in the chunk of one belongs to no other (`answer-memory.ts`).
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    maxResponseSize: answerBytesMax,
  });
  const authorization = upstream.apiKey === undefined ? [] : ["authorization", `Bearer ${upstream.apiKey}`];

  const send: Send = async (request, call) => {
    const { signal, timeoutMs } = call;
    signal.throwIfAborted();
    const exchange = new Exchange(call);
    pool.dispatch(
      {
        method: "POST",
        path: `${prefix}${request.path}`,
        headers: headersOf(request, call, authorization),
        body: request.body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      exchange,
    );
    const reply = await exchange.reply;
    if (reply.status < 200 || reply.status > 299) throw await refusal(exchange, reply);
    return {
      headers: reply.headers,
      json: () => readJson(exchange),
      read: (take) => exchange.read(take),
      chunks: () => exchange.chunks(),
    };
  };
  return { send, close: () => pool.close() };
}

/** Names and values in turn, which is how undici writes them. */
function headersOf({ headers }: OutgoingRequest, call: Call, authorization: readonly string[]): string[] {
  const list = [...authorization];
  for (const name in headers) list.push(name, headers[name] ?? "");
  for (const name in call.headers) list.push(name, call.headers[name] ?? "");
  return list;
}

async function readJson(exchange: Exchange): Promise<unknown> {
  const chunks: Buffer[] = [];
  await exchange.read((chunk) => chunks.push(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says quotes the answer, and that is not for the log.
    throw new GatewayError("upstream_invalid_answer", "The upstream's answer is not valid JSON.");
  }
}

/** Reads a little of the body of an error, enough for its message. */
async function refusal(exchange: Exchange, { status, headers }: Reply): Promise<GatewayError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of exchange.chunks()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > errorBytesMax) break;
  }
  return errorFromReply(status, headers, Buffer.concat(chunks).toString("utf8"));
}
