import type { EmbeddingTarget } from "../../domain/model.js";
import type { Input } from "../../domain/requests.js";
import type { RequestTrace } from "../../domain/trace.js";
import type { Vector } from "../../domain/vector.js";
import type { LightAbortController } from "../../runtime/abort.js";
import type { ReplyBuffers } from "../../runtime/response-buffers.js";

/** An input that a request waits for. Wants with the same key are the same input. */
export interface InputRequest {
  readonly key: string;
  readonly input: Input;
  /** Its length in tokens, or a safe estimate. */
  readonly tokens: number;
  /** Who wants it, and the trace that follows it. */
  readonly caller: string;
  readonly trace: RequestTrace;
}

export interface FetchedVector {
  readonly vector: Vector;
  /** What the vector is in, held for each request that it was fetched for. */
  readonly buffers?: ReplyBuffers | undefined;
  /** Its share of what the upstream counted. */
  readonly tokens: number;
  /** The target that made it. */
  readonly target: EmbeddingTarget;
  /** How many tries its call took. */
  readonly attempts: number;
}

/** A call that is under way, and the inputs on it. */
interface UpstreamCall {
  readonly inputs: readonly PendingInput[];
  readonly controller: LightAbortController;
}

/** A place on a call for one input, and the requests that wait for it. */
export class PendingInput {
  readonly request: InputRequest;
  /** Who wanted it first. */
  readonly firstWaiter: Waiter;
  fetched: FetchedVector | undefined;
  call: UpstreamCall | undefined;
  #waiters: Waiter[];

  constructor(want: InputRequest, requester: Waiter) {
    this.request = want;
    this.firstWaiter = requester;
    this.#waiters = [requester];
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  /** Whether several requests wait for it. */
  get isShared(): boolean {
    return this.#waiters.length > 1;
  }

  addWaiter(wait: Waiter): void {
    this.#waiters.push(wait);
  }

  removeWaiter(wait: Waiter): void {
    const index = this.#waiters.indexOf(wait);
    if (index !== -1) this.#waiters.splice(index, 1);
  }

  resolve(fetched: FetchedVector): void {
    this.fetched = fetched;
    for (const wait of this.#takeWaiters()) {
      fetched.buffers?.retain();
      wait.onFetched();
    }
  }

  reject(failure: unknown): void {
    for (const wait of this.#takeWaiters()) wait.end(failure);
  }

  /** Whoever is told leaves all of its slots, this one among them. */
  #takeWaiters(): readonly Waiter[] {
    const waits = this.#waiters;
    this.#waiters = [];
    return waits;
  }
}

/**
 * A request that waits for its inputs: one promise for all of them, however many there are. It leaves every slot when it
 * is over.
 */
export class Waiter {
  /** What was fetched, in the order of the slots. */
  readonly done: Promise<FetchedVector[]>;
  readonly inputs: PendingInput[] = [];
  readonly #signal: AbortSignal;
  readonly #onOver: (slots: readonly PendingInput[]) => void;
  readonly #leave = (): void => this.end(this.#signal.reason);
  #resolve: (fetched: FetchedVector[]) => void = () => undefined;
  #reject: (failure: unknown) => void = () => undefined;
  #missing = 0;

  /** @param onOver Told of its slots when it has left them. */
  constructor(signal: AbortSignal, onOver: (slots: readonly PendingInput[]) => void) {
    this.#signal = signal;
    this.#onOver = onOver;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener("abort", this.#leave, { once: true });
  }

  /** @param slot Has it among its waits, as the first or by `addWait`. */
  add(slot: PendingInput): void {
    this.inputs.push(slot);
    this.#missing += 1;
  }

  onFetched(): void {
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#resolve(this.inputs.map(fetchedOf));
    this.#finish();
  }

  end(failure: unknown): void {
    this.#reject(failure);
    this.#finish();
  }

  #finish(): void {
    this.#signal.removeEventListener("abort", this.#leave);
    for (const slot of this.inputs) slot.removeWaiter(this);
    this.#onOver(this.inputs);
  }
}

function fetchedOf({ fetched }: PendingInput): FetchedVector {
  if (fetched === undefined) throw new Error("An input came back without a vector.");
  return fetched;
}
