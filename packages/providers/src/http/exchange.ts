import { GatewayError } from "@model-gateway/domain/errors";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { TurnBatch } from "@model-gateway/runtime/turn-batch";
import type { Dispatcher as UndiciDispatcher } from "undici";
import type { Call } from "../call.js";
import { type CallWithoutReply, errorFromFailure } from "./errors/upstream-errors.js";

/** More informational replies (1xx) before the real one are a failure of the upstream. */
const informationalMax = 16;

/** Bytes that may be buffered for a slow reader before the connection is paused. */
const bufferedBytesMax = 1024 * 1024;
/** An upstream may send 1-byte chunks. */
const bufferedChunksMax = 1024;
/** Past this number, chunks must have this many bytes on average: each takes microseconds, however small it is. */
const tinyChunksMax = 20_000;
const meanBytesMin = 32;

/**
 * A reply of this size is read without a look at the time. With a pause in replies to batches of a hundred inputs, 32 at
 * once, their p99 doubled.
 */
const unpausedBytesMax = 4 * 1024 * 1024;
/** The first part of a reply that does not say its size, and of a larger one: more would take 10 ms of one turn. */
const unpausedBytesUnknown = 1024 * 1024;
const unpausedBytesLarge = 256 * 1024;
/** A chunk takes as long as this many bytes, in addition to its own. */
const chunkCostBytes = 1024;
/**
 * undici is paused only at the end of the data that it read from the socket. It puts the rest back, reads at least as
 * much again with every resumption, and copies all of it: a flood of 1-byte chunks took the whole CPU for a minute.
 */
const restBytesMax = 4096;

export interface ReplyHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface ExchangeOptions extends Pick<CallWithoutReply, "host"> {
  readonly timeoutMs: number;
}

/**
 * One call to an upstream and its reply, chunk by chunk. It is undici's own handler: the stream objects that undici
 * builds on top of it cost more than everything else that is done with a small reply.
 *
 * It ends when the caller leaves or its deadline passes, and rejects with the error that a caller can be sent.
 */
export class Exchange implements UndiciDispatcher.DispatchHandler {
  readonly head: Promise<ReplyHead>;
  readonly #call: Call;
  readonly #turn: TurnBatch<() => void>;
  readonly #deadline: NodeJS.Timeout;
  readonly #onCallerLeft = (): void => this.#abort(this.#call.signal.reason);
  #resolveHead: (head: ReplyHead) => void = () => undefined;
  #rejectHead: (failure: unknown) => void = () => undefined;
  #controller: UndiciDispatcher.DispatchController | undefined;
  /** Set once the body is read. Chunks that arrive before are buffered. */
  #onChunk: ((chunk: Buffer) => void) | undefined;
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #unpausedBytes = unpausedBytesUnknown;
  #receivedBytes = 0;
  #receivedChunks = 0;
  #slice: TimeSlice | undefined;
  #state: "open" | "complete" | "failed" = "open";
  #failure: unknown;
  #onEnd: (() => void) | undefined;
  #wakeReader: (() => void) | undefined;
  #informational = 0;
  readonly #host: string;
  #hasBegun = false;

  /**
   * @param turn Replies that begin in one event-loop turn are processed together.
   * @param options The time limit of this exchange: the rest of the call, or less. The host is for operators.
   */
  constructor(call: Call, turn: TurnBatch<() => void>, { timeoutMs, host }: ExchangeOptions) {
    this.#call = call;
    this.#host = host;
    this.#turn = turn;
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve;
      this.#rejectHead = reject;
    });
    this.#deadline = setTimeout(() => {
      const cause = new Error("The deadline of this call has passed.");
      // Without a controller it still waits for a connection.
      const isSent = this.#controller !== undefined;
      this.#abort(this.#errorFrom(cause, { timedOut: true, isSent }));
    }, timeoutMs);
    call.signal.addEventListener("abort", this.#onCallerLeft, { once: true });
  }

  /** Waits for work that must be done before the reply is read. Rejects as soon as the call fails. */
  during(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onEnd = () => {
        if (this.#state === "failed") reject(this.#failure);
      };
      if (this.#state !== "open") this.#onEnd();
      work.then(resolve, (failure: unknown) => {
        this.#abort(failure);
        reject(failure);
      });
    });
  }

  /** Passes each chunk on as it arrives, and resolves after the last one. To be called once. */
  read(onChunk: (chunk: Buffer) => void): Promise<void> {
    this.#call.onActive?.();
    return new Promise((resolve, reject) => {
      this.#onEnd = () => (this.#state === "failed" ? reject(this.#failure) : resolve());
      this.#onChunk = (chunk) => {
        try {
          onChunk(chunk);
        } catch (failure) {
          this.#abort(failure);
        }
      };
      const buffered = this.#buffered;
      this.#buffered = [];
      for (const chunk of buffered) this.#onChunk(chunk);
      if (this.#state !== "open") this.#onEnd();
      else if (this.#controller?.paused === true) this.#controller.resume();
    });
  }

  /** The same with backpressure, for a reader that may be slower than the upstream. Leaving early ends the call. */
  async *chunks(): AsyncGenerator<Buffer, void, void> {
    try {
      for (;;) {
        const chunks = this.#buffered;
        this.#call.onActive?.();
        if (chunks.length > 0) {
          this.#buffered = [];
          this.#bufferedBytes = 0;
          if (this.#controller?.paused === true) this.#controller.resume();
          // A reader of short lines takes milliseconds for each chunk, and the next ones are there already.
          const slice = new TimeSlice();
          for (const chunk of chunks) {
            if (slice.isOver) await slice.yield();
            yield chunk;
          }
        } else if (this.#state === "failed") {
          throw this.#failure;
        } else if (this.#state === "complete") {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        }
      }
    } finally {
      if (this.#state === "open") this.#abort(new Error("The rest of the reply is not read."));
    }
  }

  onRequestStart(controller: UndiciDispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have been aborted while it waited for a connection.
    if (this.#state === "failed") controller.abort(new Error("The call was aborted."));
  }

  onResponseStart(
    _controller: UndiciDispatcher.DispatchController,
    status: number,
    headers: ReplyHead["headers"],
  ): void {
    if (status >= 200) {
      this.#hasBegun = true;
      const declared = headers["content-length"];
      if (declared !== undefined)
        this.#unpausedBytes = Number(declared) <= unpausedBytesMax ? unpausedBytesMax : unpausedBytesLarge;
      return this.#turn.add(() => this.#resolveHead({ status, headers }));
    }
    // Informational replies such as 103 come before the real one.
    this.#informational += 1;
    if (this.#informational > informationalMax)
      this.#abort(
        new GatewayError("upstream_invalid_reply", "The upstream sends only informational replies."),
      );
  }

  onResponseData(controller: UndiciDispatcher.DispatchController, chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    this.#receivedChunks += 1;
    this.#call.onActive?.();
    if (this.#onChunk !== undefined) {
      this.#onChunk(chunk);
      if (this.#receivedBytes + this.#receivedChunks * chunkCostBytes > this.#unpausedBytes)
        this.#pauseInTime(controller, chunk);
    } else {
      this.#buffered.push(chunk);
      this.#bufferedBytes += chunk.length;
      if (this.#isFull && endsItsMemory(chunk)) controller.pause();
      this.#wakeReader?.();
    }
    if (this.#receivedChunks > tinyChunksMax && this.#receivedBytes < this.#receivedChunks * meanBytesMin)
      this.#abort(
        new GatewayError(
          "upstream_invalid_reply",
          `The upstream sends its reply in chunks of less than ${meanBytesMin} bytes.`,
        ),
      );
  }

  get #isFull(): boolean {
    return this.#bufferedBytes >= bufferedBytesMax || this.#buffered.length >= bufferedChunksMax;
  }

  /** Node reads up to 2 MB of every connection in one event-loop turn, and all of it is verified at once. */
  #pauseInTime(controller: UndiciDispatcher.DispatchController, chunk: Buffer): void {
    if (!endsItsMemory(chunk)) return;
    this.#slice ??= new TimeSlice();
    if (!this.#slice.isOver || controller.paused || this.#state !== "open") return;
    controller.pause();
    void this.#slice.yield().then(() => {
      if (this.#state === "open") controller.resume();
    });
  }

  onResponseEnd(): void {
    this.#call.onActive?.();
    if (this.#state === "open") this.#end("complete");
  }

  onResponseError(_controller: UndiciDispatcher.DispatchController, failure: Error): void {
    if (this.#state !== "open") return;
    this.#fail(this.#errorFrom(failure, { timedOut: false, isSent: true }));
  }

  #errorFrom(cause: Error, facts: Pick<CallWithoutReply, "timedOut" | "isSent">): GatewayError {
    const { timeoutMs } = this.#call;
    return errorFromFailure(cause, { ...facts, timeoutMs, hasBegun: this.#hasBegun, host: this.#host });
  }

  /** Ends the call and its connection. Unread data is lost. */
  #abort(reason: unknown): void {
    if (this.#state !== "open") return;
    this.#fail(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error("The call was aborted."));
  }

  #fail(failure: unknown): void {
    this.#failure = failure;
    this.#rejectHead(failure);
    this.#end("failed");
  }

  #end(state: "complete" | "failed"): void {
    this.#state = state;
    clearTimeout(this.#deadline);
    this.#call.signal.removeEventListener("abort", this.#onCallerLeft);
    this.#onEnd?.();
    this.#wakeReader?.();
  }
}

/** Whether little follows in the memory that was read from the socket together with this chunk. */
function endsItsMemory({ buffer, byteOffset, length }: Buffer): boolean {
  return buffer.byteLength - byteOffset - length <= restBytesMax;
}
