import type { EmbeddingTarget } from "../../domain/model.js";
import type { Input } from "../../domain/requests.js";
import { Semaphore } from "../../domain/semaphore.js";
import type { RequestTrace } from "../../domain/trace.js";
import type { Vector } from "../../domain/vector.js";
import { GatewayError } from "../../errors.js";
import { LightAbortController } from "../../runtime/abort.js";
import type { ReplyBuffers } from "../../runtime/response-buffers.js";
import { type BatchLimit, planBatches, shareUsage } from "./batches.js";
import { type FetchedVector, type InputRequest, PendingInput, Waiter } from "./pending-input.js";

/** What is sent in one call, for whom first, and how many tokens it has at the most. */
export interface Batch {
  readonly inputs: readonly Input[];
  readonly caller: string;
  readonly trace: RequestTrace;
  readonly tokens: number;
}

/** What came back for one part: verified vectors in its order. */
export interface BatchReply {
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  readonly buffers?: ReplyBuffers | undefined;
  readonly target: EmbeddingTarget;
  readonly attempts: number;
}

export interface CoalescerOptions {
  /** Read before every call, because a limit may be learned from the one before. */
  readonly limits: () => BatchLimit;
  /** How many parts of one batch are sent at once. */
  readonly maxConcurrency: number;
  /** How long, and for how many inputs, small requests wait for each other. */
  readonly coalesce: { readonly windowMs: number; readonly maxInputs: number } | undefined;
  /** Sends one part and gives back verified vectors in its order. */
  readonly send: (part: Batch, signal: AbortSignal) => Promise<BatchReply>;
  /** Whether a failed call of so many inputs may succeed in smaller parts; if so, the limits are smaller now. */
  readonly learn: (failure: unknown, inputCount: number) => boolean;
  /** Told when nobody waits for anything any more. */
  readonly onIdle: () => void;
}

/**
 * Requests that may share upstream calls: same model, same width, same options. An input that is already on its way is
 * not sent again; small requests may wait a moment and travel together. A call lives until its last waiter leaves.
 */
export class Coalescer {
  readonly #needs: CoalescerOptions;
  readonly #pending = new Map<string, PendingInput>();
  #queue: PendingInput[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #onWaiterDone = (slots: readonly PendingInput[]): void => {
    for (const slot of slots) this.#release(slot);
    if (this.isIdle) this.#needs.onIdle();
  };

  constructor(needs: CoalescerOptions) {
    this.#needs = needs;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** Rejects with the first failure, or as soon as the signal aborts. */
  fetch(wants: readonly InputRequest[], signal: AbortSignal): Promise<FetchedVector[]> {
    const wait = new Waiter(signal, this.#onWaiterDone);
    const fresh: PendingInput[] = [];
    for (const want of wants) {
      let slot = this.#pending.get(want.key);
      if (slot === undefined) {
        slot = new PendingInput(want, wait);
        this.#pending.set(want.key, slot);
        fresh.push(slot);
      } else slot.addWaiter(wait);
      wait.add(slot);
    }
    if (fresh.length > 0) this.#enqueue(fresh);
    return wait.done;
  }

  #enqueue(fresh: readonly PendingInput[]): void {
    const { coalesce } = this.#needs;
    if (coalesce === undefined) {
      this.#send(fresh);
      return;
    }
    this.#queue.push(...fresh);
    if (this.#queue.length >= coalesce.maxInputs) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), coalesce.windowMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const slots = this.#queue;
    this.#queue = [];
    this.#send(slots);
  }

  /** Sends slots in as many parts as the limits ask for, a few at a time. */
  #send(slots: readonly PendingInput[], gate = new Semaphore(this.#needs.maxConcurrency)): void {
    const { coalesce, limits } = this.#needs;
    const { maxInputs, maxTokens } = limits();
    const perCall = coalesce === undefined ? maxInputs : Math.min(maxInputs, coalesce.maxInputs);
    for (const part of planBatches(slots, { maxInputs: perCall, maxTokens }, tokensOf))
      void this.#sendBatch(part, gate);
  }

  async #sendBatch(part: readonly PendingInput[], gate: Semaphore): Promise<void> {
    const turn = gate.acquire();
    if (turn !== undefined) await turn;
    const slots = part.filter((slot) => this.#isAwaited(slot));
    const [first] = slots;
    if (first !== undefined) {
      const controller = new LightAbortController();
      const flight = { inputs: slots, controller };
      for (const slot of slots) slot.call = flight;
      try {
        this.#deliver(slots, await this.#needs.send(batchOf(slots, first.request), controller.signal));
      } catch (failure) {
        this.#recover(slots, { failure, isAbandoned: controller.signal.aborted, gate });
      }
    }
    gate.release();
  }

  #deliver(
    slots: readonly PendingInput[],
    { vectors, promptTokens, buffers, target, attempts }: BatchReply,
  ): void {
    if (vectors.length < slots.length) throw new Error("A part was answered with fewer vectors than inputs.");
    const shares = shareUsage(
      promptTokens,
      slots.map(({ request }) => request.tokens),
    );
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots[index];
      const vector = vectors[index];
      if (slot === undefined || vector === undefined) continue;
      this.#forget(slot);
      slot.resolve({ vector, buffers, tokens: shares[index] ?? 0, target, attempts });
    }
  }

  /** A call that was too large goes again in parts; one that several requests shared goes again for each of them. */
  #recover(slots: readonly PendingInput[], { failure, isAbandoned, gate }: Recovery): void {
    for (const slot of slots) slot.call = undefined;
    if (!isAbandoned && slots.length > 1) {
      if (this.#needs.learn(failure, slots.length)) return this.#send(slots, gate);
      const groups = byRequester(slots);
      if (groups.length > 1 && isCallersFault(failure)) {
        for (const group of groups) void this.#sendBatch(group, gate);
        return;
      }
    }
    attributeToInput(failure, slots);
    for (const slot of slots) {
      this.#forget(slot);
      slot.reject(failure);
    }
  }

  #release(slot: PendingInput): void {
    if (slot.isAwaited || this.#pending.get(slot.request.key) !== slot) return;
    if (slot.call === undefined) {
      // It has not left yet, or waits for its part; nobody wants it any more.
      this.#forget(slot);
      this.#queue = this.#queue.filter((other) => other !== slot);
      return;
    }
    const { inputs, controller } = slot.call;
    if (inputs.some(({ isAwaited }) => isAwaited)) return;
    for (const other of inputs) this.#forget(other);
    controller.abort(new Error("Nobody waits for this call any more."));
  }

  #isAwaited(slot: PendingInput): boolean {
    if (slot.isAwaited) return true;
    this.#forget(slot);
    return false;
  }

  #forget(slot: PendingInput): void {
    if (this.#pending.get(slot.request.key) === slot) this.#pending.delete(slot.request.key);
  }
}

interface Recovery {
  readonly failure: unknown;
  /** Whether nobody waited for it any more. */
  readonly isAbandoned: boolean;
  readonly gate: Semaphore;
}

function tokensOf({ request }: PendingInput): number {
  return request.tokens;
}

function batchOf(slots: readonly PendingInput[], { caller, trace }: InputRequest): Batch {
  const inputs: Input[] = [];
  let tokens = 0;
  for (const { request } of slots) {
    inputs.push(request.input);
    tokens += request.tokens;
  }
  return { inputs, caller, trace, tokens };
}

/** What more than one request waits for goes by itself: it must not fail with what else either of them has sent. */
function byRequester(slots: readonly PendingInput[]): PendingInput[][] {
  const groups = new Map<object, PendingInput[]>();
  for (const slot of slots) {
    const owner = slot.isShared ? slot : slot.firstWaiter;
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [slot]);
    else group.push(slot);
  }
  return [...groups.values()];
}

/** A failure that names an input by its place in the part names it by its key from here on. */
function attributeToInput(failure: unknown, slots: readonly PendingInput[]): void {
  if (!(failure instanceof GatewayError) || failure.inputIndex === undefined) return;
  failure.inputKey ??= slots[failure.inputIndex]?.request.key;
}

/** One request's bad input must not fail the others that travelled with it. */
function isCallersFault(failure: unknown): boolean {
  return (
    failure instanceof GatewayError && failure.status >= 400 && failure.status < 500 && failure.status !== 429
  );
}
