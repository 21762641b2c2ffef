import { Worker } from "node:worker_threads";

/** Owns one worker: starts it for the first text, and replaces it after a crash. */
export class WorkerSlot {
  readonly #workerUrl: URL;
  #worker: Worker | undefined;
  #running: Promise<unknown> = Promise.resolve();
  /** The worker of the current text, and how to settle that text. */
  #current: Worker | undefined;
  #settle: (reply: WorkerReply) => void = () => undefined;

  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  /** Never rejects: if the worker ends before its reply, the text has failed. One text at a time. */
  run(request: WorkerRequest): Promise<WorkerReply> {
    const worker = this.#worker ?? this.#start();
    const reply = new Promise<WorkerReply>((resolve) => {
      this.#settle = resolve;
    });
    this.#running = reply;
    this.#current = worker;
    worker.postMessage(request);
    return reply;
  }

  /** Waits for the running text: ending a thread inside the native runtime would abort the whole process. */
  async close(): Promise<void> {
    await this.#running;
    await this.#worker?.terminate();
  }

  /** Adds its listeners once, not per text: adding them takes longer than handling a reply. */
  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { name: "embeddings" });
    let reason = "The worker ended.";
    this.#worker = worker;
    // An idle worker that fails is replaced for the next text. Without a listener the process would exit.
    worker.on("error", (error: Error) => {
      reason = error.message;
      this.#forget(worker);
    });
    worker.on("exit", () => {
      this.#forget(worker);
      // A new worker may have replaced this one.
      if (this.#current === worker) this.#settle({ kind: "failed", reason });
    });
    return worker.on("message", (reply: WorkerReply) => this.#settle(reply));
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}

/** One text for a worker. A worker has one text at a time, so requests need no id. */
export interface WorkerRequest {
  readonly folder: string;
  readonly maxTokens: number;
  readonly text: string;
}

export type WorkerReply =
  | { readonly kind: "embedded"; readonly vector: Float32Array<ArrayBuffer>; readonly tokenCount: number }
  | { readonly kind: "too-long"; readonly tokenCount: number }
  /** The model could not be loaded. */
  | { readonly kind: "unavailable"; readonly reason: string }
  /** The model was loaded but failed on this text. */
  | { readonly kind: "failed"; readonly reason: string };
