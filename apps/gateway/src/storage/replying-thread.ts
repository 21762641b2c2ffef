/** A `Worker` of Node, or what stands for one. */
export interface ThreadHandle {
  on(event: "message", listener: (reply: unknown) => void): unknown;
  on(event: "error", listener: (failure: Error) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  postMessage(message: unknown, moved?: readonly ArrayBuffer[]): void;
}

/** A failure in a thread: an error loses its code when it is cloned to another one. */
export interface ThreadFailure {
  readonly message: string;
  readonly code: string;
}

export type ThreadReply<Result> =
  | ({ readonly id: number } & Result)
  | { readonly id: number; readonly failure: ThreadFailure };

interface ReplyingThreadOptions {
  readonly worker: ThreadHandle;
  readonly toError: (failure: ThreadFailure) => Error;
  /** The error of all requests to a thread that has exited. */
  readonly exitError: (cause: Error) => Error;
}

interface PendingReply<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (failure: Error) => void;
}

/** A thread that replies to every request, in order. */
export class ReplyingThread<Result extends object> {
  readonly #options: ReplyingThreadOptions;
  readonly #pending = new Map<number, PendingReply<Result>>();
  readonly #ended: Promise<void>;
  #cause: Error | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: ReplyingThreadOptions) {
    this.#options = options;
    // The thread's own code types its replies.
    options.worker.on("message", (reply) => this.#settle(reply as ThreadReply<Result>));
    options.worker.on("error", (failure: Error) => {
      this.#cause = failure;
    });
    this.#ended = new Promise((resolve) => {
      options.worker.on("exit", () => {
        this.#isClosed = true;
        for (const { reject } of this.#pending.values()) reject(this.#exitError());
        this.#pending.clear();
        resolve();
      });
    });
  }

  /** Whether the thread has exited or is about to. It must be replaced, not used again. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Requests in flight. */
  get load(): number {
    return this.#pending.size;
  }

  /** @param moved What the thread gets without a copy. It must not be used afterwards. */
  send(request: object, moved: readonly ArrayBuffer[] = []): Promise<Result> {
    if (this.#isClosed) return Promise.reject(this.#exitError());
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#options.worker.postMessage({ id, ...request }, moved);
    });
  }

  /** Waits for requests in flight: terminating a thread inside native code would abort the whole process. */
  async close(): Promise<void> {
    if (!this.#isClosed) this.#options.worker.postMessage("close");
    this.#isClosed = true;
    await this.#ended;
  }

  #exitError(): Error {
    return this.#options.exitError(this.#cause ?? new Error("The thread has exited."));
  }

  #settle(reply: ThreadReply<Result>): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("failure" in reply) pending?.reject(this.#options.toError(reply.failure));
    else pending?.resolve(reply);
  }
}
