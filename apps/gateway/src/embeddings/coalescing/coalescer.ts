import { setImmediate } from "node:timers/promises";
import { textLength } from "@model-gateway/domain/content-input";
import { GatewayError } from "@model-gateway/domain/errors";
import { type Input, isContent } from "@model-gateway/domain/requests";
import { LightAbortController } from "@model-gateway/runtime/abort";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { nextBulkTurn } from "@model-gateway/runtime/time-slice";
import { cutForBulk, type ItemSize, type LearnedLimits, planBatches, withImageLimits } from "./batches.js";
import {
  type FetchedVector,
  type InputRequest,
  PendingInput,
  type UpstreamCall,
  Waiter,
} from "./pending-input.js";
import type { BatchReply, BatchRoute, BatchSender, InputBatch } from "./send-batch.js";
import { shareReply, tokensOf } from "./share-reply.js";

/** Batches of one request in flight at once if no target sets a limit. */
const parallelBatchesMax = 8;

/** Inputs of bulk requests whose responses are written in one turn of the event loop. */
const bulkInputsPerTurn = 8;

/** Their JSON takes a few milliseconds. */
const tokensPerTurn = 50_000;

export interface CoalescerOptions {
  readonly route: BatchRoute;
  readonly limits: Pick<LearnedLimits, "of" | "learn">;
  readonly sender: Pick<BatchSender, "send">;
  /** Called when no request waits for anything. */
  readonly onIdle: () => void;
}

/**
 * Requests that may share upstream calls: same model, same width, same options. It is single-flight for each input: an
 * input in flight is not sent again. If the model or the route coalesces, small requests wait for each other for a few
 * milliseconds and go out as one batch. A call is cancelled when its last waiter leaves.
 */
export class Coalescer {
  readonly #options: CoalescerOptions;
  readonly #pending = new Map<string, PendingInput>();
  #queue: PendingInput[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #onWaiterDone = (inputs: readonly PendingInput[]): void => {
    this.#leave(inputs);
    if (this.isIdle) this.#options.onIdle();
  };

  constructor(options: CoalescerOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** Rejects with the first failure, or as soon as the signal aborts. */
  fetch(requests: readonly InputRequest[], signal: AbortSignal): Promise<FetchedVector[]> {
    const waiter = new Waiter(signal, this.#onWaiterDone);
    const fresh: PendingInput[] = [];
    for (const request of requests) {
      let input = this.#pending.get(request.key);
      if (input === undefined) {
        input = new PendingInput(request, waiter);
        this.#pending.set(request.key, input);
        fresh.push(input);
      } else input.addWaiter(waiter, request);
      waiter.add(input);
    }
    if (fresh.length > 0) this.#enqueue(fresh);
    return waiter.done;
  }

  #enqueue(fresh: readonly PendingInput[]): void {
    const { route } = this.#options;
    const coalesce = route.coalesce ?? route.model.coalesce;
    if (coalesce === undefined) {
      this.#send(fresh);
      return;
    }
    this.#queue.push(...fresh);
    if (this.#queue.length >= coalesce.maxInputs) this.#flush();
    else if (this.#timer === undefined) this.#timer = setTimeout(() => this.#flush(), coalesce.windowMs);
    else if (coalesce.isSinceLast) this.#timer.refresh();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const inputs = this.#queue;
    this.#queue = [];
    this.#send(inputs);
  }

  /** Sends inputs in as many batches as the limits require, a few at a time. */
  #send(inputs: readonly PendingInput[], semaphore = new Semaphore(this.#parallelBatches())): void {
    const { limits, route } = this.#options;
    const coalesce = route.coalesce ?? route.model.coalesce;
    // Read each time: the call before may have taught a smaller limit.
    const whole =
      route.hasContent === true
        ? withImageLimits(limits.of(route.model, route), route.model)
        : limits.of(route.model);
    const source = route.coalesce === undefined ? "requests" : "lines";
    const limit = route.isBulk === true ? cutForBulk(whole, route.model, source) : whole;
    const joined =
      coalesce === undefined ? limit : { ...limit, maxInputs: Math.min(limit.maxInputs, coalesce.maxInputs) };
    void this.#sendAll(planBatches(inputs, joined, inputSize), semaphore);
  }

  /** A large batch blocks the event loop while its JSON is written, so the next one waits for another turn. */
  async #sendAll(batches: readonly PendingInput[][], semaphore: Semaphore): Promise<void> {
    let tokens = 0;
    for (const batch of batches) {
      void this.#sendBatch(batch, semaphore);
      for (const input of batch) tokens += tokensOf(input);
      if (tokens < tokensPerTurn) continue;
      tokens = 0;
      await setImmediate();
    }
  }

  async #sendBatch(batch: readonly PendingInput[], semaphore: Semaphore): Promise<void> {
    if (!semaphore.tryAcquire()) await semaphore.acquire();
    const inputs = batch.filter((input) => this.#isAwaited(input));
    const [first] = inputs;
    if (first !== undefined) {
      const controller = new LightAbortController();
      const call = { inputs, controller };
      for (const input of inputs) input.call = call;
      try {
        const { sender, route } = this.#options;
        const reply = await sender.send(batchOf(inputs, first.request, controller.signal), route);
        const delivered = this.#deliver(inputs, reply);
        if (delivered !== undefined) await delivered;
      } catch (failure) {
        this.#recover(inputs, { failure, isAbandoned: controller.signal.aborted, semaphore });
      }
    }
    semaphore.release();
  }

  /** Bulk requests end a few at a time, so that others are served in between. Undefined: all have ended. */
  #deliver(inputs: readonly PendingInput[], reply: BatchReply): Promise<void> | undefined {
    if (reply.vectors.length < inputs.length)
      throw new Error("A batch came back with fewer vectors than inputs.");
    const shares = shareReply(inputs, reply);
    if (this.#options.route.isBulk === true && inputs.length > bulkInputsPerTurn)
      return this.#deliverInTurns(inputs, shares);
    this.#deliverSome(inputs, shares, 0);
    return undefined;
  }

  async #deliverInTurns(inputs: readonly PendingInput[], shares: readonly FetchedVector[]): Promise<void> {
    // Keeps the reply until the end: the first responses may be sent, and released, before the last are delivered.
    for (const { vector } of shares) vector.retain();
    for (let start = 0; start < inputs.length; start += bulkInputsPerTurn) {
      if (start > 0) await nextBulkTurn();
      this.#deliverSome(inputs.slice(start, start + bulkInputsPerTurn), shares, start);
    }
    for (const { vector } of shares) vector.release();
  }

  #deliverSome(inputs: readonly PendingInput[], shares: readonly FetchedVector[], start: number): void {
    for (let index = 0; index < inputs.length; index += 1) {
      const input = inputs[index];
      const fetched = shares[start + index];
      if (input === undefined || fetched === undefined) continue;
      // Before its waiters are notified: a request that comes now must not join a call that is over.
      this.#forget(input);
      input.resolve(fetched);
    }
  }

  /** A batch that was too large goes again in smaller ones; one that several requests shared goes again for each. */
  #recover(inputs: readonly PendingInput[], { failure, isAbandoned, semaphore }: Recovery): void {
    for (const input of inputs) input.call = undefined;
    if (!isAbandoned && inputs.length > 1) {
      const tokens = inputs.reduce((sum, input) => sum + tokensOf(input), 0);
      const { limits, route } = this.#options;
      if (limits.learn(failure, { inputs: inputs.length, tokens, hasContent: route.hasContent }))
        return this.#send(inputs, semaphore);
      const groups = byRequest(inputs);
      if (groups.length > 1 && isCallersFault(failure)) {
        for (const group of groups) void this.#sendBatch(group, semaphore);
        return;
      }
    }
    const attributed = attributedToInput(failure, inputs);
    for (const input of inputs) {
      this.#forget(input);
      input.reject(attributed);
    }
  }

  /** Cancels calls without waiters. Each call is checked once, not once for each of its inputs. */
  #leave(inputs: readonly PendingInput[]): void {
    const left = inputs.filter((input) => !input.isAwaited && this.#pending.get(input.request.key) === input);
    if (left.length === 0) return;
    const calls = new Set(left.map(({ call }) => call));
    for (const call of calls) if (call !== undefined) this.#cancel(call);
    if (!calls.has(undefined)) return;
    // These wait for their batch or for the semaphore.
    const unsent = new Set(left.filter(({ call }) => call === undefined));
    for (const input of unsent) this.#forget(input);
    this.#queue = this.#queue.filter((input) => !unsent.has(input));
  }

  #cancel({ inputs, controller }: UpstreamCall): void {
    if (inputs.some(({ isAwaited }) => isAwaited)) return;
    for (const input of inputs) this.#forget(input);
    controller.abort(new Error("All callers of this batch have left."));
  }

  #isAwaited(input: PendingInput): boolean {
    if (input.isAwaited) return true;
    this.#forget(input);
    return false;
  }

  #forget(input: PendingInput): void {
    if (this.#pending.get(input.request.key) === input) this.#pending.delete(input.request.key);
  }

  /** The sum of the targets' limits, with a default for targets without one. */
  #parallelBatches(): number {
    let sum = 0;
    for (const { capacity } of this.#options.route.model.targets) {
      if (capacity.maxConcurrency === undefined) return parallelBatchesMax;
      sum += capacity.maxConcurrency;
    }
    return sum;
  }
}

interface Recovery {
  readonly failure: unknown;
  /** Whether all callers have left. */
  readonly isAbandoned: boolean;
  readonly semaphore: Semaphore;
}

const inputSize: ItemSize<PendingInput> = {
  tokensOf,
  charactersOf: ({ request: { input } }) => {
    if (typeof input === "string") return input.length;
    return isContent(input) ? textLength(input) : 0;
  },
  contentOf: ({ request: { input } }) => (isContent(input) ? input : undefined),
};

/** The batch is attributed to the caller of its first input. */
function batchOf(
  pending: readonly PendingInput[],
  { context }: InputRequest,
  signal: AbortSignal,
): InputBatch {
  const inputs: Input[] = [];
  let tokens = 0;
  let needsNumbers = false;
  for (const { request, needsNumbers: isRead } of pending) {
    inputs.push(request.input);
    tokens += request.tokens;
    if (isRead) needsNumbers = true;
  }
  // Not a spread: this runs for every request.
  const { caller, trace, takeMemory, bulk, onActive } = context;
  return { inputs, tokens, needsNumbers, context: { caller, trace, signal, takeMemory, bulk, onActive } };
}

/** Groups inputs by request. An input that several requests share goes alone, so that a bad input of one request cannot fail the other. */
function byRequest(inputs: readonly PendingInput[]): PendingInput[][] {
  const groups = new Map<object, PendingInput[]>();
  for (const input of inputs) {
    const owner = input.isShared ? input : input.firstWaiter;
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [input]);
    else group.push(input);
  }
  return [...groups.values()];
}

/** The failure with the key of its input, since a caller does not know the batch. */
function attributedToInput(failure: unknown, inputs: readonly PendingInput[]): unknown {
  if (!(failure instanceof GatewayError) || failure.inputIndex === undefined) return failure;
  return failure.with({ inputKey: inputs[failure.inputIndex]?.request.key });
}

/** One request's bad input must not fail the other requests of its batch. */
function isCallersFault(failure: unknown): boolean {
  return (
    failure instanceof GatewayError && failure.status >= 400 && failure.status < 500 && failure.status !== 429
  );
}
