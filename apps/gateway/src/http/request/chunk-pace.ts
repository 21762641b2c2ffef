import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { GatewayError } from "@model-gateway/domain/errors";
import { TimeSlice } from "@model-gateway/runtime/time-slice";

/** A chunk of a body takes some microseconds, however small it is. A larger one takes them for its bytes. */
const smallBytesMax = 1024;
/** Number of chunks between two looks at the time. */
const chunksPerLook = 256;
/** A body with more would take seconds of CPU time, whatever its content. */
const smallChunksMax = 100_000;
/** Past this number, small chunks must have this many bytes on average. No client that buffers at all has fewer. */
const tinyChunksMax = 2000;
const meanBytesMin = 32;

/**
 * Splits the arrival of small chunks into time slices, and bounds their number. Node reads up to 2 MB of a connection
 * in one event-loop turn, and a 1-byte chunk takes six bytes: 350,000 chunks, which blocked all other requests for
 * seconds.
 */
export class ChunkPace {
  readonly #beginSlice: () => TimeSlice;
  #smallChunks = 0;
  #smallBytes = 0;
  #slice: TimeSlice | undefined;

  constructor(beginSlice = () => new TimeSlice()) {
    this.#beginSlice = beginSlice;
  }

  /** Counts a chunk. Returns a promise to await before more is received. */
  add({ length }: { readonly length: number }): Promise<void> | undefined {
    if (length >= smallBytesMax) return undefined;
    this.#smallChunks += 1;
    this.#smallBytes += length;
    if (this.#smallChunks % chunksPerLook !== 0) return undefined;
    this.#slice ??= this.#beginSlice();
    return this.#slice.isOver ? this.#slice.yield() : undefined;
  }

  /** The error for a body with too many of them. Undefined while there are fewer. */
  get fault(): GatewayError | undefined {
    const areTiny = this.#smallBytes < this.#smallChunks * meanBytesMin;
    const max = areTiny ? tinyChunksMax : smallChunksMax;
    if (this.#smallChunks <= max) return undefined;
    return new GatewayError(
      "content_too_large",
      `The request body has more than ${max} chunks of less than ${areTiny ? meanBytesMin : smallBytesMax} bytes. Send larger chunks.`,
    );
  }
}

/** Gives small chunks of a body in slices of time to what it is piped to, and refuses a body of too many. */
export function paceChunks(
  request: IncomingMessage,
  reader: Writable,
  refuse: (fault: GatewayError) => void,
): void {
  const pace = new ChunkPace();
  request.on("data", (chunk: Buffer) => {
    const wait = pace.add(chunk);
    const { fault } = pace;
    if (fault !== undefined) {
      request.unpipe(reader);
      request.socket.pause();
      return refuse(fault);
    }
    if (wait === undefined) return;
    request.pause();
    request.socket.pause();
    void wait.then(() => {
      request.socket.resume();
      // If the reader is full, the pipe resumes later.
      if (!reader.writableNeedDrain) request.resume();
    });
  });
}

/**
 * Splits the arrival of large chunks into time slices. Node reads up to 2 MB of every connection in one event-loop turn.
 */
export class BytePace {
  readonly #stepBytes: number;
  readonly #beginSlice: () => TimeSlice;
  #slice: TimeSlice | undefined;
  /** Bytes that may arrive until the next look at the time. */
  #bytesLeft: number;

  /**
   * @param unpausedBytes The start of a body is received without a look at the time.
   * @param stepBytes So much is received between two looks.
   */
  constructor(unpausedBytes: number, stepBytes: number, beginSlice = () => new TimeSlice()) {
    this.#bytesLeft = unpausedBytes;
    this.#stepBytes = stepBytes;
    this.#beginSlice = beginSlice;
  }

  /** Counts received bytes. Returns a promise to await before more is received. */
  add(bytes: number): Promise<void> | undefined {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft > 0) return undefined;
    this.#bytesLeft = this.#stepBytes;
    this.#slice ??= this.#beginSlice();
    return this.#slice.isOver ? this.#slice.yield() : undefined;
  }
}
