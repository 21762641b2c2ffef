import type { CallContext } from "@model-gateway/domain/call-context";
import type { MediaTokens } from "@model-gateway/domain/media-input";
import type { EmbeddingTarget } from "@model-gateway/domain/model";
import type { FailedAttempt } from "@model-gateway/domain/request-failure";
import type { Input } from "@model-gateway/domain/requests";
import type { Vector } from "@model-gateway/domain/vector";
import type { LightAbortController } from "@model-gateway/runtime/abort";

/** An input that a request waits for. Two requests for equal inputs have the same key. */
export interface InputRequest {
  readonly key: string;
  readonly input: Input;
  /** Its length in tokens, or an upper bound. */
  readonly tokens: number;
  /** Whether its request does more with the vector than to pass on the JSON text of its reply. */
  readonly needsNumbers: boolean;
  readonly context: CallContext;
}

export interface FetchedVector {
  readonly vector: Vector;
  /** Its share of the tokens that the upstream counted. */
  readonly tokens: number;
  /** Whether the upstream did not report them. */
  readonly tokensEstimated: boolean;
  /** Its share of the tokens of images. Undefined: the upstream does not report them. */
  readonly imageTokens?: number | undefined;
  /** The same for media, by kind. */
  readonly mediaTokens?: MediaTokens | undefined;
  /** Its share of the cost that the upstream reports, in billionths of a US dollar. Absent: it reports none. */
  readonly reportedNanos?: number | undefined;
  /** The target that created it. */
  readonly target: EmbeddingTarget;
  /** Number of attempts of its call. */
  readonly attempts: number;
  /** The attempts that failed. Undefined if none did; the same array for all inputs of a call. */
  readonly failedAttempts?: readonly FailedAttempt[] | undefined;
}

/** A call in flight, and the inputs of its batch. */
export interface UpstreamCall {
  readonly inputs: readonly PendingInput[];
  readonly controller: LightAbortController;
}

/** One input of a batch, and the requests that wait for it. */
export class PendingInput {
  readonly request: InputRequest;
  readonly firstWaiter: Waiter;
  needsNumbers: boolean;
  fetched: FetchedVector | undefined;
  call: UpstreamCall | undefined;
  #waiters: Waiter[];

  constructor(request: InputRequest, firstWaiter: Waiter) {
    this.request = request;
    this.firstWaiter = firstWaiter;
    this.needsNumbers = request.needsNumbers;
    this.#waiters = [firstWaiter];
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  /** Whether several requests wait for it. */
  get isShared(): boolean {
    return this.#waiters.length > 1;
  }

  addWaiter(waiter: Waiter, { needsNumbers }: InputRequest): void {
    this.#waiters.push(waiter);
    if (needsNumbers) this.needsNumbers = true;
  }

  removeWaiter(waiter: Waiter): void {
    const index = this.#waiters.indexOf(waiter);
    if (index !== -1) this.#waiters.splice(index, 1);
  }

  resolve(fetched: FetchedVector): void {
    this.fetched = fetched;
    for (const waiter of this.#takeWaiters()) {
      fetched.vector.retain();
      waiter.onFetched();
    }
  }

  reject(failure: unknown): void {
    for (const waiter of this.#takeWaiters()) waiter.end(failure);
  }

  /** Swaps the list first: a waiter that is notified removes itself from it. */
  #takeWaiters(): readonly Waiter[] {
    const waiters = this.#waiters;
    this.#waiters = [];
    return waiters;
  }
}

/**
 * A request that waits for its inputs: one promise for all of them. When done it leaves every input, and its coalescer
 * cancels calls without waiters.
 */
export class Waiter {
  /** The fetched vectors, in the order of the inputs. */
  readonly done: Promise<FetchedVector[]>;
  readonly inputs: PendingInput[] = [];
  readonly #signal: AbortSignal;
  readonly #onDone: (inputs: readonly PendingInput[]) => void;
  readonly #onAbort = (): void => this.end(this.#signal.reason);
  #resolve: (fetched: FetchedVector[]) => void = () => undefined;
  #reject: (failure: unknown) => void = () => undefined;
  #missing = 0;

  /** @param onDone Called with its inputs after it has left them. */
  constructor(signal: AbortSignal, onDone: (inputs: readonly PendingInput[]) => void) {
    this.#signal = signal;
    this.#onDone = onDone;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** @param input Must already list this waiter, as its first one or by `addWaiter`. */
  add(input: PendingInput): void {
    this.inputs.push(input);
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
    this.#signal.removeEventListener("abort", this.#onAbort);
    for (const input of this.inputs) input.removeWaiter(this);
    this.#onDone(this.inputs);
  }
}

function fetchedOf({ fetched }: PendingInput): FetchedVector {
  if (fetched === undefined) throw new Error("An input came back without a vector.");
  return fetched;
}
