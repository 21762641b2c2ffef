import type { Dispatcher } from "undici";

const queuedBytesMax = 1024 * 1024;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * One call to an upstream and its reply, chunk by chunk as they come. It is undici's own handler: the stream objects
 * that are built on top of it cost more than everything else that is done with a small answer.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly reply: Promise<Reply>;
  #begin: (reply: Reply) => void = () => undefined;
  #refuse: (failure: unknown) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  readonly #chunks: Buffer[] = [];
  #queuedBytes = 0;
  #state: "open" | "complete" | "failed" = "open";
  #failure: unknown;
  #wake: (() => void) | undefined;
  readonly #onOver: () => void;

  /** @param onOver Called once, when nothing more will come. */
  constructor(onOver: () => void) {
    this.#onOver = onOver;
    this.reply = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
  }

  /** Ends the call and its connection. What has not been read yet is lost. */
  abort(reason: unknown): void {
    if (this.#state !== "open") return;
    this.#fail(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error("The call was ended."));
  }

  /** To be read once, and to the end: whoever stops before ends the call. `explain` says what a failure means. */
  async *chunks(explain: (failure: unknown) => unknown): AsyncGenerator<Buffer, void, void> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#queuedBytes -= chunk.length;
          if (this.#controller?.paused === true && this.#queuedBytes < queuedBytesMax)
            this.#controller.resume();
          yield chunk;
        } else if (this.#state === "failed") {
          throw explain(this.#failure);
        } else if (this.#state === "complete") {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.abort(new Error("Nobody reads the rest of the answer."));
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
    if (status >= 200) this.#begin({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= queuedBytesMax) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    if (this.#state !== "open") return;
    this.#state = "complete";
    this.#onOver();
    this.#wake?.();
  }

  onResponseError(_controller: Dispatcher.DispatchController, failure: Error): void {
    if (this.#state === "open") this.#fail(failure);
  }

  #fail(failure: unknown): void {
    this.#state = "failed";
    this.#failure = failure;
    this.#refuse(failure);
    this.#onOver();
    this.#wake?.();
  }
}
