import type { EmbeddingTarget } from "../../domain/model.js";
import type { Input } from "../../domain/requests.js";
import { Gate } from "../../domain/semaphore.js";
import type { RequestTrace } from "../../domain/trace.js";
import type { Vector } from "../../domain/vector.js";
import { GatewayError } from "../../errors.js";
import { LightAbortController } from "../../runtime/abort.js";
import type { AnswerMemory } from "../../runtime/response-buffers.js";
import { type CallLimits, planParts, shareUsage } from "./batches.js";
import { type Fetched, Slot, Wait, type Want } from "./pending-input.js";

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
  readonly memory?: AnswerMemory | undefined;
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
  /** Told when nobody waits for anything any more. */
  readonly onIdle: () => void;
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
  readonly #onWaitOver = (slots: readonly Slot[]): void => {
    for (const slot of slots) this.#release(slot);
    if (this.isIdle) this.#needs.onIdle();
  };

  constructor(needs: LaneNeeds) {
    this.#needs = needs;
  }

  get isIdle(): boolean {
    return this.#slots.size === 0;
  }

  /** Rejects with the first failure, or as soon as the signal aborts. */
  fetch(wants: readonly Want[], signal: AbortSignal): Promise<Fetched[]> {
    const wait = new Wait(signal, this.#onWaitOver);
    const fresh: Slot[] = [];
    for (const want of wants) {
      let slot = this.#slots.get(want.key);
      if (slot === undefined) {
        slot = new Slot(want, wait);
        this.#slots.set(want.key, slot);
        fresh.push(slot);
      } else slot.addWait(wait);
      wait.add(slot);
    }
    if (fresh.length > 0) this.#gather(fresh);
    return wait.over;
  }

  #gather(fresh: readonly Slot[]): void {
    const { coalesce } = this.#needs;
    if (coalesce === undefined) {
      this.#launch(fresh);
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
    this.#launch(slots);
  }

  /** Sends slots in as many parts as the limits ask for, a few at a time. */
  #launch(slots: readonly Slot[], gate = new Gate(this.#needs.maxConcurrency)): void {
    const { coalesce, limits } = this.#needs;
    const { maxInputs, maxTokens } = limits();
    const perCall = coalesce === undefined ? maxInputs : Math.min(maxInputs, coalesce.maxInputs);
    for (const part of planParts(slots, { maxInputs: perCall, maxTokens }, tokensOf))
      void this.#fly(part, gate);
  }

  async #fly(part: readonly Slot[], gate: Gate): Promise<void> {
    const turn = gate.enter();
    if (turn !== undefined) await turn;
    const slots = part.filter((slot) => this.#isAwaited(slot));
    const [first] = slots;
    if (first !== undefined) {
      const controller = new LightAbortController();
      const flight = { slots, controller };
      for (const slot of slots) slot.flight = flight;
      try {
        this.#deliver(slots, await this.#needs.send(partOf(slots, first.want), controller.signal));
      } catch (failure) {
        this.#recover(slots, { failure, isAbandoned: controller.signal.aborted, gate });
      }
    }
    gate.leave();
  }

  #deliver(slots: readonly Slot[], { vectors, promptTokens, memory, target, attempts }: PartAnswer): void {
    if (vectors.length < slots.length) throw new Error("A part was answered with fewer vectors than inputs.");
    const shares = shareUsage(
      promptTokens,
      slots.map(({ want }) => want.tokens),
    );
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots[index];
      const vector = vectors[index];
      if (slot === undefined || vector === undefined) continue;
      this.#forget(slot);
      slot.resolve({ vector, memory, tokens: shares[index] ?? 0, target, attempts });
    }
  }

  /** A call that was too large goes again in parts; one that several requests shared goes again for each of them. */
  #recover(slots: readonly Slot[], { failure, isAbandoned, gate }: Recovery): void {
    for (const slot of slots) slot.flight = undefined;
    if (!isAbandoned && slots.length > 1) {
      if (this.#needs.learn(failure, slots.length)) return this.#launch(slots, gate);
      const groups = byRequester(slots);
      if (groups.length > 1 && isCallersFault(failure)) {
        for (const group of groups) void this.#fly(group, gate);
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
    if (slot.isAwaited || this.#slots.get(slot.want.key) !== slot) return;
    if (slot.flight === undefined) {
      // It has not left yet, or waits for its part; nobody wants it any more.
      this.#forget(slot);
      this.#gathering = this.#gathering.filter((other) => other !== slot);
      return;
    }
    const { slots, controller } = slot.flight;
    if (slots.some(({ isAwaited }) => isAwaited)) return;
    for (const other of slots) this.#forget(other);
    controller.abort(new Error("Nobody waits for this call any more."));
  }

  #isAwaited(slot: Slot): boolean {
    if (slot.isAwaited) return true;
    this.#forget(slot);
    return false;
  }

  #forget(slot: Slot): void {
    if (this.#slots.get(slot.want.key) === slot) this.#slots.delete(slot.want.key);
  }
}

interface Recovery {
  readonly failure: unknown;
  /** Whether nobody waited for it any more. */
  readonly isAbandoned: boolean;
  readonly gate: Gate;
}

function tokensOf({ want }: Slot): number {
  return want.tokens;
}

function partOf(slots: readonly Slot[], { caller, trace }: Want): Part {
  const inputs: Input[] = [];
  let tokens = 0;
  for (const { want } of slots) {
    inputs.push(want.input);
    tokens += want.tokens;
  }
  return { inputs, caller, trace, tokens };
}

/** What more than one request waits for goes by itself: it must not fail with what else either of them has sent. */
function byRequester(slots: readonly Slot[]): Slot[][] {
  const groups = new Map<object, Slot[]>();
  for (const slot of slots) {
    const owner = slot.isShared ? slot : slot.requester;
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [slot]);
    else group.push(slot);
  }
  return [...groups.values()];
}

/** A failure that names an input by its place in the part names it by its key from here on. */
function blameInput(failure: unknown, slots: readonly Slot[]): void {
  if (!(failure instanceof GatewayError) || failure.inputIndex === undefined) return;
  failure.inputKey ??= slots[failure.inputIndex]?.want.key;
}

/** One request's bad input must not fail the others that travelled with it. */
function isCallersFault(failure: unknown): boolean {
  return (
    failure instanceof GatewayError && failure.status >= 400 && failure.status < 500 && failure.status !== 429
  );
}
