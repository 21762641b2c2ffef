import { GatewayError } from "@model-gateway/domain/errors";
import { CopiedChunks, freeArrayBuffers, ownMemory } from "@model-gateway/runtime/buffer-pool";
import { GrowingBuffer } from "@model-gateway/runtime/growing-buffer";
import type { Request } from "express";
import {
  LargeJson,
  type ParsedJson,
  parseJson,
  smallJsonBytes,
  takeMemory,
} from "../../execution/json/parse-json.js";
import type { Arrival } from "../../execution/request-context.js";
import type { JsonShape } from "../../execution/validation/json-schema.js";
import { BytePace, ChunkPace } from "./chunk-pace.js";
import {
  type BodyStream,
  type ContentEncoding,
  closedEarly,
  compressedBody,
  plainBody,
} from "./compressed-body.js";
import type { SlowBodies } from "./slow-body.js";

/** A body is scanned while it arrives. So many bytes of token ids take 1.3 ms. */
const stepBytes = 64 * 1024;
/** A compressed body is expected to have at most so many times the bytes that arrive. JSON of texts has three to six. */
const expectedRatio = 10;

interface ReadJsonOptions {
  readonly bytesMax: number;
  readonly shape: JsonShape;
  /** How the body is compressed. Absent: it is not. The limits are for the bytes behind the compression. */
  readonly encoding?: ContentEncoding | undefined;
  readonly context: Pick<Arrival, "memory" | "signal" | "onActive"> & { readonly caller: string };
  readonly slowBodies: Pick<SlowBodies, "watch">;
}

interface ReadJson extends ParsedJson {
  readonly bytes: number;
}

/** Reads a JSON body, bounded by its counted length, by the memory there is and by the shape that its schema allows. */
export async function readJson(request: Request, options: ReadJsonOptions): Promise<ReadJson> {
  const { bytesMax, shape, context, encoding } = options;
  // Most bodies arrive with their request.
  if (!request.complete || encoding !== undefined) return new IncomingBody(request, options).read();
  const body: Buffer = request.read() ?? noBytes;
  const memory = takeMemory(body.length, context);
  if (memory !== undefined) await memory;
  if (body.length > bytesMax) throw tooLarge(bytesMax);
  if (body.length <= smallJsonBytes) return { value: parseJson(body), bytes: body.length };
  return { ...(await new LargeJson(shape).parseApart(body)), bytes: body.length };
}

const noBytes = Buffer.alloc(0);

/**
 * A body that has not arrived yet. It is scanned while it arrives, so one that is refused takes neither its time nor its
 * memory. It uses listeners: an async iterator costs more than the reading itself.
 */
class IncomingBody {
  readonly #request: Request;
  readonly #options: ReadJsonOptions;
  /** Undefined while the body is small. */
  #json: LargeJson | undefined;
  readonly #chunkPace = new ChunkPace();
  readonly #bytePace = new BytePace(stepBytes, stepBytes);
  readonly #copied = new CopiedChunks();
  #bytes = 0;
  /** Bytes that there is memory for. */
  #covered = 0;

  constructor(request: Request, options: ReadJsonOptions) {
    this.#request = request;
    this.#options = options;
  }

  async read(): Promise<ReadJson> {
    const length = this.#expectedBytes();
    await this.#cover(length);
    const buffer = new GrowingBuffer(length, this.#options.bytesMax);
    let dataUrls: ParsedJson["dataUrls"];
    try {
      await this.#receive(buffer);
      this.#options.context.onActive();
      const body = buffer.content;
      if (this.#json === undefined) return { value: parseJson(body), bytes: body.length };
      const parsed = await this.#json.parseApart(body);
      dataUrls = parsed.dataUrls;
      return { ...parsed, bytes: body.length };
    } finally {
      // All other values are copies. Left to the collector, 16 bodies of 33 MB caused 15 to 23 full collections.
      const memory = dataUrls === undefined ? ownMemory(buffer.content) : undefined;
      if (memory !== undefined && memory.byteLength > smallJsonBytes) freeArrayBuffers([memory]);
    }
  }

  #expectedBytes(): number {
    const declared = this.#request.headers["content-length"];
    if (declared === undefined) return smallJsonBytes;
    const { encoding, bytesMax } = this.#options;
    return encoding === undefined ? Number(declared) : Math.min(expectedRatio * Number(declared), bytesMax);
  }

  /** Takes memory for so many bytes. A body without a length takes it for the largest one as soon as it is large. */
  async #cover(bytes: number): Promise<void> {
    const more = bytes - this.#covered;
    this.#covered = bytes;
    await takeMemory(more, this.#options.context);
    this.#options.context.signal.throwIfAborted();
  }

  #receive(buffer: GrowingBuffer): Promise<void> {
    const request = this.#request;
    const { stream, faultOf, stop } = this.#open();
    return new Promise((resolve, reject) => {
      let isOver = false;
      const settle = (failure?: unknown) => {
        if (isOver) return;
        isOver = true;
        endWatch();
        stream.off("data", onData);
        if (failure === undefined) return resolve();
        stop();
        reject(failure);
      };
      const endWatch = this.#options.slowBodies.watch(request, settle);
      const onData = (chunk: Buffer) => {
        try {
          this.#add(chunk, buffer);
        } catch (failure) {
          return settle(failure);
        }
        const nextSlice = this.#pace(chunk);
        if (this.#chunkPace.fault !== undefined) {
          request.socket.pause();
          return settle(this.#chunkPace.fault);
        }
        const wait = this.#bytes > this.#covered ? this.#cover(this.#options.bytesMax) : nextSlice;
        if (wait === undefined) return;
        // Otherwise Node parses on until 64 KB of the body wait: 65,000 chunks of a byte, 200 ms of one turn.
        if (wait === nextSlice) request.socket.pause();
        this.#resumeAfter(wait, stream, settle);
      };
      stream
        .on("data", onData)
        .once("end", () => settle(faultOf()))
        .once("error", (failure) => settle(faultOf(failure)))
        .once("close", () => settle(closedEarly()));
    });
  }

  #resumeAfter(
    wait: Promise<void>,
    stream: BodyStream["stream"],
    onFailure: (failure: unknown) => void,
  ): void {
    stream.pause();
    wait.then(() => {
      this.#request.socket.resume();
      stream.resume();
    }, onFailure);
  }

  #open(): BodyStream {
    const { encoding } = this.#options;
    return encoding === undefined ? plainBody(this.#request) : compressedBody(this.#request, encoding);
  }

  #add(chunk: Buffer, buffer: GrowingBuffer): void {
    const { bytesMax, encoding } = this.#options;
    this.#bytes += chunk.length;
    if (this.#bytes > bytesMax) throw tooLarge(bytesMax, encoding);
    buffer.add(chunk);
    this.#copied.addBodyChunk(chunk);
    if (this.#bytes <= smallJsonBytes) return;
    this.#json ??= new LargeJson(this.#options.shape);
    this.#json.scan(buffer.content);
  }

  /** Returns a promise to await before more is received. */
  #pace(chunk: Buffer): Promise<void> | undefined {
    return this.#chunkPace.add(chunk) ?? this.#bytePace.add(chunk.length);
  }
}

/** The error for a body of more bytes than its operation takes. */
export function tooLarge(bytesMax: number, encoding?: ContentEncoding): GatewayError {
  const body = encoding === undefined ? "request body" : "decompressed request body";
  return new GatewayError("content_too_large", `The ${body} is larger than the limit of ${bytesMax} bytes.`);
}
