import { webcrypto } from "node:crypto";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { encodeQuery, encodeUriPart, type Signer, sha256Hex } from "@model-gateway/domain/aws-signature";
import { backoffMs } from "@model-gateway/runtime/backoff";
import { type Dispatcher, Pool } from "undici";
import {
  badReply,
  connectionError,
  credentialsMissing,
  errorOfReply,
  readText,
  S3Error,
  timedOut,
} from "./s3-error.js";

/** A bucket of an S3-compatible store. */
export interface S3Place {
  /** The origin of the store, without a path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Prefix of all the gateway's object keys, without a slash at either end. */
  readonly prefix: string;
  /** Position of the bucket name in a URL: in the path, or before the host. */
  readonly addressing: "path" | "virtual-hosted";
}

/** An object that is being read. A body that is not read must be destroyed. */
export interface S3Object {
  readonly bytes: number;
  readonly body: Readable;
}

interface ListedObject {
  readonly key: string;
  /** Milliseconds since 1970. NaN where the store does not say. */
  readonly modifiedAt: number;
}

export interface PutOptions {
  readonly type: string;
  readonly attemptsMax?: number;
  readonly timeoutMs?: number;
}

/** Time limit of an operation, and its number of attempts. */
export interface S3Limits {
  /** For one attempt. */
  readonly timeoutMs: number;
  /** The longest pause of a body. While the reader is slow, it does not count. */
  readonly bodyTimeoutMs: number;
  readonly attemptsMax: number;
}

/** Signs requests, with credentials that may be renewed. `RenewedSigner` implements it. */
export interface SignerSource {
  current(signal: AbortSignal): Signer | Promise<Signer>;
  /** The store has refused the credentials in this header. Returns whether there may be others. */
  giveUp(authorization: string): boolean;
}

export interface S3ClientOptions extends Partial<S3Limits> {
  readonly signer: SignerSource;
  /** Defaults to the resolver of the system. */
  readonly lookup?: LookupFunction;
}

const defaultLimits: S3Limits = { timeoutMs: 10_000, bodyTimeoutMs: 30_000, attemptsMax: 3 };
const connectTimeoutMs = 5000;
/** A large upload gets more time: as much as it takes at this speed. */
const bytesPerMs = 1000;
const firstBackoffMs = 400;
const replyBytesMax = 4 * 1024 * 1024;
/** Callers may read slowly, and must not use up the connections that uploads need. */
const readConnectionsMax = 128;
const otherConnectionsMax = 32;

/** A request for an object, or for the bucket. */
interface S3Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** Empty for a request to the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly upload?: { readonly content: Buffer; readonly type: string };
  readonly attemptsMax?: number;
  readonly timeoutMs?: number;
}

/**
 * Reads and writes the objects of one bucket. Every operation may be repeated without harm, so each is retried a few
 * times after a transient failure. It rejects with an `S3Error`.
 */
export class S3Client {
  readonly #signer: SignerSource;
  readonly #host: string;
  readonly #root: string;
  readonly #readPool: Pool;
  readonly #pool: Pool;
  readonly #limits: S3Limits;

  constructor(settings: S3Place, { signer, lookup, ...limits }: S3ClientOptions) {
    const { endpoint, bucket, addressing } = settings;
    this.#limits = { ...defaultLimits, ...limits };
    const url = new URL(endpoint);
    if (addressing === "virtual-hosted") url.hostname = `${bucket}.${url.hostname}`;
    this.#signer = signer;
    this.#host = url.host;
    this.#root = addressing === "path" ? `/${encodeUriPart(bucket)}` : "";
    const options = {
      pipelining: 1,
      connect: { timeout: connectTimeoutMs, ...(lookup && { lookup }) },
      bodyTimeout: this.#limits.bodyTimeoutMs,
    };
    this.#readPool = new Pool(url.origin, { ...options, connections: readConnectionsMax });
    this.#pool = new Pool(url.origin, { ...options, connections: otherConnectionsMax });
  }

  /** Once this has resolved, every reader finds the object. */
  async put(key: string, content: Buffer, { type, ...limits }: PutOptions): Promise<void> {
    await this.send({ method: "PUT", key, upload: { content, type }, ...limits }, async (reply) => {
      await readText(reply.body, replyBytesMax);
      if (reply.headers.etag === undefined) throw badReply("an upload without an ETag");
    });
  }

  /**
   * Resolves when the body begins. Undefined if there is no such object.
   *
   * @param range The first byte and the last, both included. An object that ends earlier gives what it has of them.
   */
  async get(
    key: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<S3Object | undefined> {
    const part = range && { headers: { range: `bytes=${range.start}-${range.end}` } };
    try {
      return await this.send({ method: "GET", key, ...part }, async ({ statusCode, headers, body }) => {
        if (range !== undefined && statusCode !== 206) {
          body.destroy();
          throw badReply("the whole object instead of a part");
        }
        const bytes = Number(headers["content-length"] ?? Number.NaN);
        if (Number.isSafeInteger(bytes)) return { bytes, body };
        body.destroy();
        throw badReply("an object without a length");
      });
    } catch (failure) {
      if (failure instanceof S3Error && failure.status === 404 && failure.code !== "NoSuchBucket")
        return undefined;
      throw failure;
    }
  }

  /** Deleting an object that does not exist succeeds. */
  async delete(key: string): Promise<void> {
    await this.send({ method: "DELETE", key }, async ({ body }) => {
      await readText(body, replyBytesMax);
    });
  }

  /** The first keys with a prefix, in the order of their UTF-8 bytes. */
  async list(prefix: string, count: number): Promise<string[]> {
    return (await this.listObjects(prefix, { count })).map(({ key }) => key);
  }

  /** The first objects with a prefix, or the first ones after a key. */
  async listObjects(
    prefix: string,
    { count, after }: { readonly count: number; readonly after?: string | undefined },
  ): Promise<ListedObject[]> {
    const query = {
      "list-type": "2",
      prefix,
      "max-keys": String(count),
      ...(after === undefined ? {} : { "start-after": after }),
    };
    return this.send({ method: "GET", key: "", query }, async ({ body }) => {
      const text = await readText(body, replyBytesMax);
      if (text === undefined || !/<ListBucketResult[\s>]/.test(text))
        throw badReply("a list that is not one");
      return elementsOf(text, "Contents").map((entry) => ({
        key: textOf(entry, "Key"),
        modifiedAt: Date.parse(textOf(entry, "LastModified")),
      }));
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#readPool.destroy(), this.#pool.destroy()]);
  }

  /** Sends any request, and reads a reply with a status of 2xx. */
  async send<T>(request: S3Request, read: (reply: Dispatcher.ResponseData) => Promise<T>): Promise<T> {
    // Hashed on another thread. The store checks the digest, so it never holds a damaged upload.
    const payloadSha256 =
      request.upload === undefined ? emptySha256 : await sha256OnThread(request.upload.content);
    const attempts = request.attemptsMax ?? this.#limits.attemptsMax;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request, { payloadSha256, read });
      } catch (failure) {
        if (!(failure instanceof S3Error) || attempt >= attempts) throw failure;
        if (attempt === 1 && failure.mayPassRenewed) continue;
        if (!failure.isTransient) throw failure;
        await wait(backoffMs(attempt, { firstMs: firstBackoffMs, random: Math.random }));
      }
    }
  }

  async #openSigner(signal: AbortSignal): Promise<Signer> {
    try {
      return await this.#signer.current(signal);
    } catch (failure) {
      throw failure instanceof S3Error ? failure : credentialsMissing(failure);
    }
  }

  async #attempt<T>(
    request: S3Request,
    { payloadSha256, read }: { payloadSha256: string; read: (reply: Dispatcher.ResponseData) => Promise<T> },
  ): Promise<T> {
    const { method, key, query = {}, upload } = request;
    const limitMs =
      (request.timeoutMs ?? this.#limits.timeoutMs) + (upload?.content.length ?? 0) / bytesPerMs;
    const path = `${this.#root}${key === "" ? "" : `/${key.split("/").map(encodeUriPart).join("/")}`}` || "/";
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(timedOut(limitMs)), limitMs);
    try {
      const signer = await this.#openSigner(timeout.signal);
      const given = { ...request.headers, ...(upload && { "content-type": upload.type }) };
      const headers = signer.sign(
        { method, host: this.#host, path, query, headers: given, payloadSha256 },
        Date.now(),
      );
      const search = encodeQuery(query);
      const pool = method === "GET" && key !== "" ? this.#readPool : this.#pool;
      const reply = await pool.request({
        method,
        path: search === "" ? path : `${path}?${search}`,
        headers,
        body: upload?.content ?? null,
        signal: timeout.signal,
      });
      if (reply.statusCode < 200 || reply.statusCode > 299) {
        const giveUp = () => this.#signer.giveUp(headers.authorization ?? "");
        throw await errorOfReply(reply, giveUp);
      }
      return await read(reply);
    } catch (failure) {
      if (failure instanceof S3Error) throw failure;
      throw connectionError(failure);
    } finally {
      // A body that is still being read has a separate time limit.
      clearTimeout(timer);
    }
  }
}

/** The text of an element of XML. Empty if there is no such element. */
export function textOf(xml: string, element: string): string {
  const [, text = ""] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** S3 lists no more at once. */
const listedMax = 1000;

/** The content of each element with this name. A pattern would read on to the end for every one that is not closed. */
export function elementsOf(xml: string, element: string): string[] {
  const contents: string[] = [];
  const end = `</${element}>`;
  for (const piece of xml.split(`<${element}>`, listedMax + 1).slice(1)) {
    const length = piece.indexOf(end);
    if (length !== -1) contents.push(piece.slice(0, length));
  }
  return contents;
}

const emptySha256 = sha256Hex("");

async function sha256OnThread(content: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", content)).toString("hex");
}
