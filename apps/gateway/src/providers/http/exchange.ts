import type { Dispatcher } from "undici";
import { TurnBatch } from "../../runtime/turn-batch.js";
import type { Call } from "../provider.js";
import { errorFromFailure } from "./errors.js";

const queuedBytesMax = 1024 * 1024;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Beginning {
  readonly begin: (reply: Reply) => void;
  readonly reply: Reply;
}

const beginnings = new TurnBatch<Beginning>(({ begin, reply }) => begin(reply));

/**
 * One call to an upstream and its reply, chunk by chunk as they come. It is undici's own handler: the stream objects
 * that are built on top of it cost more than everything else that is done with a small answer.
 *
 * It ends when the caller leaves or its time is over, and what it fails with is already what that means to a caller.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly reply: Promise<Reply>;
  readonly #call: Call;
  readonly #deadline: NodeJS.Timeout;
  readonly #leave = (): void => this.#abort(this.#call.signal.reason);
  #begin: (reply: Reply) => void = () => undefined;
  #refuse: (failure: unknown) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Who takes the chunks, once somebody does. What comes before is queued. */
  #take: ((chunk: Buffer) => void) | undefined;
  #chunks: Buffer[] = [];
  #queuedBytes = 0;
  #state: "open" | "complete" | "failed" = "open";
  #failure: unknown;
  #onOver: (() => void) | undefined;
  #wake: (() => void) | undefined;

  constructor(call: Call) {
    this.#call = call;
    this.reply = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
    this.#deadline = setTimeout(() => {
      const cause = new Error("The time for this call is over.");
      this.#abort(errorFromFailure(cause, { timedOut: true, timeoutMs: call.timeoutMs }));
    }, call.timeoutMs);
    call.signal.addEventListener("abort", this.#leave, { once: true });
  }

  /** Hands over what comes, as it comes, and resolves after the last of it. To be called once. */
  read(take: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onOver = () => (this.#state === "failed" ? reject(this.#failure) : resolve());
      this.#take = (chunk) => {
        try {
          take(chunk);
        } catch (failure) {
          this.#abort(failure);
        }
      };
      const queued = this.#chunks;
      this.#chunks = [];
      for (const chunk of queued) this.#take(chunk);
      if (this.#state !== "open") this.#onOver();
      else if (this.#controller?.paused === true) this.#controller.resume();
    });
  }

  /** The same for one who cannot take it as fast as it comes. Whoever stops before the end ends the call. */
  async *chunks(): AsyncGenerator<Buffer, void, void> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#queuedBytes -= chunk.length;
          if (this.#controller?.paused === true && this.#queuedBytes < queuedBytesMax)
            this.#controller.resume();
          yield chunk;
        } else if (this.#state === "failed") {
          throw this.#failure;
        } else if (this.#state === "complete") {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (this.#state === "open") this.#abort(new Error("Nobody reads the rest of the answer."));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have been ended while it waited for a connection.
    if (this.#state === "failed") controller.abort(new Error("The call was ended."));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Reply["headers"],
  ): void {
    // What comes before the answer proper, such as 103, is none.
    if (status >= 200) beginnings.add({ begin: this.#begin, reply: { status, headers } });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#take !== undefined) return this.#take(chunk);
    this.#chunks.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= queuedBytesMax) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    if (this.#state === "open") this.#end("complete");
  }

  onResponseError(_controller: Dispatcher.DispatchController, failure: Error): void {
    if (this.#state !== "open") return;
    this.#fail(errorFromFailure(failure, { timedOut: false, timeoutMs: this.#call.timeoutMs }));
  }

  /** Ends the call and its connection. What has not been read yet is lost. */
  #abort(reason: unknown): void {
    if (this.#state !== "open") return;
    this.#fail(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error("The call was ended."));
  }

  #fail(failure: unknown): void {
    this.#failure = failure;
    this.#refuse(failure);
    this.#end("failed");
  }

  #end(state: "complete" | "failed"): void {
    this.#state = state;
    clearTimeout(this.#deadline);
    this.#call.signal.removeEventListener("abort", this.#leave);
    this.#onOver?.();
    this.#wake?.();
  }
}
