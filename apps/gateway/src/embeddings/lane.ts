import { setImmediate } from "node:timers/promises";
import { LightAbortController } from "../domain/abort.js";
import { Gate } from "../domain/gate.js";
import type { EmbeddingTarget } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import type { RequestTrace } from "../domain/trace.js";
import { unlessAborted } from "../domain/unless-aborted.js";
import type { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import { type CallLimits, planParts } from "./plan-parts.js";
import { shareUsage } from "./share-usage.js";

/** An input that a request waits for. Wants with the same key are the same input. */
export interface Want {
  readonly key: string;
  readonly input: Input;
  /** Its length in tokens, or a safe estimate. */
  readonly tokens: number;
  /** Who wants it, and the trace that follows it. */
  readonly caller: string;
  readonly trace: RequestTrace;
}

export interface Fetched {
  readonly vector: Vector;
  /** Its share of what the upstream counted. */
  readonly tokens: number;
  /** The target that made it. */
  readonly target: EmbeddingTarget;
  /** How many tries its call took. */
  readonly attempts: number;
}

/** What is sent in one call, for whom first, and how many tokens it has at the most. */
export interface Part {
  readonly inputs: readonly Input[];
  readonly caller: string;
  readonly trace: RequestTrace;
  readonly tokens: number;
}

/** What came back for one part: verified vectors in its order. */
export interface PartAnswer {
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  readonly target: EmbeddingTarget;
  readonly attempts: number;
}

export interface LaneNeeds {
  /** Read before every call, because a limit may be learned from the one before. */
  readonly limits: () => CallLimits;
  /** How many parts of one batch are sent at once. */
  readonly maxConcurrency: number;
  /** How long, and for how many inputs, small requests wait for each other. */
  readonly coalesce: { readonly windowMs: number; readonly maxInputs: number } | undefined;
  /** Sends one part and gives back verified vectors in its order. */
  readonly send: (part: Part, signal: AbortSignal) => Promise<PartAnswer>;
  /** Whether a failed call of so many inputs may succeed in smaller parts; if so, the limits are smaller now. */
  readonly learn: (failure: unknown, inputCount: number) => boolean;
}

/** A place on a call for one input, and the requests that wait for it. */
interface Slot extends Want {
  readonly requester: symbol;
  readonly result: Promise<Fetched>;
  readonly resolve: (fetched: Fetched) => void;
  readonly reject: (failure: unknown) => void;
  waiters: number;
  flight: Flight | undefined;
}

interface Flight {
  readonly slots: readonly Slot[];
  readonly controller: LightAbortController;
}

/**
 * Requests that may share upstream calls: same model, same width, same options. An input that is already on its way is
 * not sent again; small requests may wait a moment and travel together. A call lives until its last waiter leaves.
 */
export class Lane {
  readonly #needs: LaneNeeds;
  readonly #slots = new Map<string, Slot>();
  #gathering: Slot[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: LaneNeeds) {
    this.#needs = needs;
  }

  get isIdle(): boolean {
    return this.#slots.size === 0;
  }

  async fetch(wants: readonly Want[], signal: AbortSignal): Promise<Fetched[]> {
    signal.throwIfAborted();
    const requester = Symbol("request");
    const fresh: Slot[] = [];
    const slots = wants.map((want) => {
      const shared = this.#slots.get(want.key);
      if (shared !== undefined) return shared;
      const slot = createSlot(want, requester);
      this.#slots.set(want.key, slot);
      fresh.push(slot);
      return slot;
    });
    for (const slot of slots) slot.waiters += 1;
    if (fresh.length > 0) this.#gather(fresh);
    try {
      return await unlessAborted(Promise.all(slots.map(({ result }) => result)), signal);
    } finally {
      for (const slot of slots) slot.waiters -= 1;
      for (const slot of slots) this.#release(slot);
    }
  }

  #gather(fresh: readonly Slot[]): void {
    const { coalesce } = this.#needs;
    if (coalesce === undefined) {
      void this.#launch(fresh);
      return;
    }
    this.#gathering.push(...fresh);
    if (this.#gathering.length >= coalesce.maxInputs) this.#depart();
    else this.#timer ??= setTimeout(() => this.#depart(), coalesce.windowMs);
  }

  #depart(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const slots = this.#gathering;
    this.#gathering = [];
    void this.#launch(slots);
  }

  /** Sends slots in as many parts as the limits ask for, a few at a time. */
  async #launch(slots: readonly Slot[], gate = new Gate(this.#needs.maxConcurrency)): Promise<void> {
    const { coalesce, limits } = this.#needs;
    const { maxInputs, maxTokens } = limits();
    const perCall = coalesce === undefined ? maxInputs : Math.min(maxInputs, coalesce.maxInputs);
    const parts = planParts(slots, { maxInputs: perCall, maxTokens }, ({ tokens }) => tokens);
    await Promise.all(parts.map((part) => this.#fly(part, gate)));
  }

  async #fly(part: readonly Slot[], gate: Gate): Promise<void> {
    const turn = gate.enter();
    if (turn !== undefined) await turn;
    const slots = part.filter((slot) => this.#isAwaited(slot));
    const flight: Flight = { slots, controller: new LightAbortController() };
    for (const slot of slots) slot.flight = flight;
    const failure = slots.length === 0 ? undefined : await this.#send(flight);
    const recovery = failure === undefined ? undefined : this.#recover(flight, failure.reason, gate);
    // Whoever waited for a part that failed leaves now, and may leave the next one without a waiter.
    if (failure !== undefined) await setImmediate();
    gate.leave();
    await recovery;
  }

  async #send({ slots, controller }: Flight): Promise<{ reason: unknown } | undefined> {
    try {
      const [first] = slots;
      if (first === undefined) throw new Error("A part has no inputs.");
      const part: Part = {
        inputs: slots.map(({ input }) => input),
        caller: first.caller,
        trace: first.trace,
        tokens: slots.reduce((sum, { tokens }) => sum + tokens, 0),
      };
      const { vectors, promptTokens, target, attempts } = await this.#needs.send(part, controller.signal);
      const shares = shareUsage(
        promptTokens,
        slots.map(({ tokens }) => tokens),
      );
      for (const [index, slot] of slots.entries()) {
        const vector = vectors[index];
        if (vector === undefined) throw new Error("A part was answered with fewer vectors than inputs.");
        this.#forget(slot);
        slot.resolve({ vector, tokens: shares[index] ?? 0, target, attempts });
      }
      return undefined;
    } catch (reason) {
      return { reason };
    }
  }

  /** A call that was too large goes again in parts; one that several requests shared goes again for each of them. */
  async #recover({ slots, controller }: Flight, failure: unknown, gate: Gate): Promise<void> {
    for (const slot of slots) slot.flight = undefined;
    if (!controller.signal.aborted && slots.length > 1) {
      if (this.#needs.learn(failure, slots.length)) return this.#launch(slots, gate);
      const groups = byRequester(slots);
      if (groups.length > 1 && isCallersFault(failure)) {
        await Promise.all(groups.map((group) => this.#fly(group, gate)));
        return;
      }
    }
    blameInput(failure, slots);
    for (const slot of slots) {
      this.#forget(slot);
      slot.reject(failure);
    }
  }

  #release(slot: Slot): void {
    if (slot.waiters > 0 || this.#slots.get(slot.key) !== slot) return;
    if (slot.flight === undefined) {
      // It has not left yet, or waits for its part; nobody wants it any more.
      this.#forget(slot);
      this.#gathering = this.#gathering.filter((other) => other !== slot);
      return;
    }
    if (slot.flight.slots.some(({ waiters }) => waiters > 0)) return;
    for (const other of slot.flight.slots) this.#forget(other);
    slot.flight.controller.abort(new Error("Nobody waits for this call any more."));
  }

  #isAwaited(slot: Slot): boolean {
    if (slot.waiters > 0) return true;
    this.#forget(slot);
    return false;
  }

  #forget(slot: Slot): void {
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key);
  }
}

function createSlot(want: Want, requester: symbol): Slot {
  const { promise, resolve, reject } = withResolvers<Fetched>();
  // Whoever waits is told; when nobody does, nobody needs to be.
  promise.catch(() => undefined);
  return { ...want, requester, result: promise, resolve, reject, waiters: 0, flight: undefined };
}

/** What more than one request waits for goes by itself: it must not fail with what else either of them has sent. */
function byRequester(slots: readonly Slot[]): Slot[][] {
  const groups = new Map<symbol, Slot[]>();
  for (const slot of slots) {
    const owner = slot.waiters > 1 ? Symbol("shared") : slot.requester;
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [slot]);
    else group.push(slot);
  }
  return [...groups.values()];
}

/** A failure that names an input by its place in the part names it by its key from here on. */
function blameInput(failure: unknown, slots: readonly Slot[]): void {
  if (!(failure instanceof GatewayError) || failure.inputIndex === undefined) return;
  failure.inputKey ??= slots[failure.inputIndex]?.key;
}

/** One request's bad input must not fail the others that travelled with it. */
function isCallersFault(failure: unknown): boolean {
  return (
    failure instanceof GatewayError && failure.status >= 400 && failure.status < 500 && failure.status !== 429
  );
}

/** Promise.withResolvers, which Node 20 lacks. */
function withResolvers<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
