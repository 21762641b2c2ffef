import { Worker } from "node:worker_threads";
import type { WorkerReply, WorkerRequest } from "./worker-protocol.js";

/** The place of one worker: starts it when the first text comes, and a new one after it was lost. */
export class WorkerSlot {
  readonly #workerUrl: URL;
  #worker: Worker | undefined;
  #running: Promise<unknown> = Promise.resolve();
  /** Who was asked last, and whom to tell of it. */
  #asked: Worker | undefined;
  #settle: (reply: WorkerReply) => void = () => undefined;

  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  /** Never rejects: a worker that ends before it answers is a failed text. One text at a time. */
  run(request: WorkerRequest): Promise<WorkerReply> {
    const worker = this.#worker ?? this.#start();
    const reply = new Promise<WorkerReply>((resolve) => {
      this.#settle = resolve;
    });
    this.#running = reply;
    this.#asked = worker;
    worker.postMessage(request);
    return reply;
  }

  /** Waits for the text that runs: ending a thread inside the native runtime would abort the whole process. */
  async close(): Promise<void> {
    await this.#running;
    await this.#worker?.terminate();
  }

  /** It listens once for all texts: to listen anew for each would take longer than what is done with the answer. */
  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { name: "embeddings" });
    let reason = "Its worker ended.";
    this.#worker = worker;
    // A worker that fails while it has no text is replaced at the next one; without a listener Node would stop.
    worker.on("error", (error: Error) => {
      reason = error.message;
      this.#forget(worker);
    });
    worker.on("exit", () => {
      this.#forget(worker);
      // Another may have taken its place by now.
      if (this.#asked === worker) this.#settle({ kind: "failed", reason });
    });
    return worker.on("message", (reply: WorkerReply) => this.#settle(reply));
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}
