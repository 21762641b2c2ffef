import { Worker } from "node:worker_threads";
import type { WorkerReply, WorkerRequest } from "./worker-protocol.js";

/** The place of one worker: starts it when the first text comes, and a new one after it was lost. */
export class WorkerSlot {
  readonly #workerUrl: URL;
  #worker: Worker | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  /** Never rejects: a worker that ends before it answers is a failed text. One text at a time. */
  run(request: WorkerRequest): Promise<WorkerReply> {
    const reply = ask(this.#worker ?? this.#start(), request);
    this.#running = reply;
    return reply;
  }

  /** Waits for the text that runs: ending a thread inside the native runtime would abort the whole process. */
  async close(): Promise<void> {
    await this.#running;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { name: "embeddings" });
    this.#worker = worker;
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // A worker that fails while it has no text is replaced at the next one; without a listener Node would stop.
    return worker.on("error", forget).on("exit", forget);
  }
}

function ask(worker: Worker, request: WorkerRequest): Promise<WorkerReply> {
  return new Promise((resolve) => {
    let reason = "Its worker ended.";
    const settle = (reply: WorkerReply) => {
      worker.off("message", settle).off("error", noteReason).off("exit", settleLost);
      resolve(reply);
    };
    const noteReason = (error: Error) => {
      reason = error.message;
    };
    const settleLost = () => settle({ kind: "failed", reason });
    worker.on("message", settle).on("error", noteReason).on("exit", settleLost);
    worker.postMessage(request);
  });
}
