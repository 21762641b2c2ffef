import { EmbeddingCall, type EmbeddingResult } from "./embedding-call.js";
import {
  EmbeddingFailedError,
  EngineBusyError,
  EngineClosedError,
  InputTooLongError,
  ModelUnavailableError,
} from "./errors.js";
import { type EmbeddingPriority, type TextOwner, TextQueue } from "./text-queue.js";
import { type WorkerReply, WorkerSlot } from "./worker/worker-slot.js";

/** Distributes the texts of all calls to the workers, one text per worker at a time. */
export class EmbeddingScheduler {
  readonly #queue: TextQueue<EmbeddingCall, Task>;
  readonly #calls = new Map<EmbeddingCall, TextOwner>();
  readonly #slots: readonly WorkerSlot[];
  readonly #busy = new Set<WorkerSlot>();
  readonly #queueMax: number;
  #closed = false;

  constructor(options: { readonly workerUrl: URL; readonly workers: number; readonly queueMax: number }) {
    this.#slots = Array.from({ length: options.workers }, () => new WorkerSlot(options.workerUrl));
    this.#queueMax = options.queueMax;
    this.#queue = new TextQueue(options.queueMax);
  }

  async embed(
    model: RunnableModel,
    texts: readonly string[],
    { signal, priority = "interactive", owner = "" }: EmbedOptions = {},
  ): Promise<EmbeddingResult> {
    if (this.#closed) throw new EngineClosedError();
    signal?.throwIfAborted();
    if (texts.length === 0) return { vectors: [], tokenCounts: [] };
    const owned: TextOwner = { owner, priority };
    if (!this.#queue.hasRoom(texts.length, owned)) throw new EngineBusyError(this.#queueMax);

    const call = new EmbeddingCall(texts.length);
    const abandon = () => this.#abandon(call, signal?.reason);
    signal?.addEventListener("abort", abandon);
    this.#calls.set(call, owned);
    this.#queue.add({ call, items: texts.map((text, index) => ({ call, model, index, text })) }, owned);
    this.#wake();
    try {
      return await call.result;
    } finally {
      signal?.removeEventListener("abort", abandon);
      this.#calls.delete(call);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls.keys()) this.#abandon(call, new EngineClosedError());
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  #abandon(call: EmbeddingCall, reason: unknown): void {
    this.#remove(call);
    call.abandon(reason);
  }

  #remove(call: EmbeddingCall): void {
    const owned = this.#calls.get(call);
    if (owned !== undefined) this.#queue.remove(call, owned);
  }

  /** In a fixed order, so that under low load the texts go to workers that have loaded the model. */
  #wake(): void {
    for (const slot of this.#slots) if (!this.#busy.has(slot)) void this.#drain(slot);
  }

  async #drain(slot: WorkerSlot): Promise<void> {
    this.#busy.add(slot);
    for (let task = this.#queue.take(); task; task = this.#queue.take()) {
      const { model, text } = task;
      task.call.start();
      this.#settle(task, await slot.run({ folder: model.folder, maxTokens: model.maxTokens, text }));
    }
    this.#busy.delete(slot);
  }

  #settle({ call, index, model }: Task, reply: WorkerReply): void {
    if (reply.kind === "embedded") {
      call.complete(index, reply);
      return;
    }
    this.#remove(call);
    call.fail(index, errorOf(reply, index, model));
  }
}

export interface EmbedOptions {
  /** Ends the call when it aborts. */
  readonly signal?: AbortSignal;
  /** Default: `interactive`. */
  readonly priority?: EmbeddingPriority;
  /** Owners take turns, and each has a share of the queue. Default: one for all calls without. */
  readonly owner?: string;
}

/** A model whose files were checked. */
export interface RunnableModel {
  readonly id: string;
  readonly folder: string;
  readonly maxTokens: number;
}

interface Task {
  readonly call: EmbeddingCall;
  readonly model: RunnableModel;
  readonly index: number;
  readonly text: string;
}

function errorOf(
  reply: Exclude<WorkerReply, { readonly kind: "embedded" }>,
  index: number,
  model: RunnableModel,
): Error {
  switch (reply.kind) {
    case "too-long":
      return new InputTooLongError({
        index,
        length: `${reply.tokenCount} tokens`,
        maxTokens: model.maxTokens,
      });
    case "unavailable":
      return new ModelUnavailableError(model.id, reply.reason);
    case "failed":
      return new EmbeddingFailedError(model.id, reply.reason);
  }
}
