import type { EmbeddingTarget } from "../../domain/model.js";
import type { Input } from "../../domain/requests.js";
import type { RequestTrace } from "../../domain/trace.js";
import type { Vector } from "../../domain/vector.js";
import type { LightAbortController } from "../../runtime/abort.js";
import type { AnswerMemory } from "../../runtime/response-buffers.js";

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
  /** What the vector is in, held for each request that it was fetched for. */
  readonly memory?: AnswerMemory | undefined;
  /** Its share of what the upstream counted. */
  readonly tokens: number;
  /** The target that made it. */
  readonly target: EmbeddingTarget;
  /** How many tries its call took. */
  readonly attempts: number;
}

/** A call that is under way, and the inputs on it. */
interface Flight {
  readonly slots: readonly Slot[];
  readonly controller: LightAbortController;
}

/** A place on a call for one input, and the requests that wait for it. */
export class Slot {
  readonly want: Want;
  /** Who wanted it first. */
  readonly requester: Wait;
  fetched: Fetched | undefined;
  flight: Flight | undefined;
  #waits: Wait[];

  constructor(want: Want, requester: Wait) {
    this.want = want;
    this.requester = requester;
    this.#waits = [requester];
  }

  get isAwaited(): boolean {
    return this.#waits.length > 0;
  }

  /** Whether several requests wait for it. */
  get isShared(): boolean {
    return this.#waits.length > 1;
  }

  addWait(wait: Wait): void {
    this.#waits.push(wait);
  }

  removeWait(wait: Wait): void {
    const index = this.#waits.indexOf(wait);
    if (index !== -1) this.#waits.splice(index, 1);
  }

  resolve(fetched: Fetched): void {
    this.fetched = fetched;
    for (const wait of this.#takeWaits()) {
      fetched.memory?.hold();
      wait.onFetched();
    }
  }

  reject(failure: unknown): void {
    for (const wait of this.#takeWaits()) wait.end(failure);
  }

  /** Whoever is told leaves all of its slots, this one among them. */
  #takeWaits(): readonly Wait[] {
    const waits = this.#waits;
    this.#waits = [];
    return waits;
  }
}

/**
 * A request that waits for its inputs: one promise for all of them, however many there are. It leaves every slot when it
 * is over.
 */
export class Wait {
  /** What was fetched, in the order of the slots. */
  readonly over: Promise<Fetched[]>;
  readonly slots: Slot[] = [];
  readonly #signal: AbortSignal;
  readonly #onOver: (slots: readonly Slot[]) => void;
  readonly #leave = (): void => this.end(this.#signal.reason);
  #resolve: (fetched: Fetched[]) => void = () => undefined;
  #reject: (failure: unknown) => void = () => undefined;
  #missing = 0;

  /** @param onOver Told of its slots when it has left them. */
  constructor(signal: AbortSignal, onOver: (slots: readonly Slot[]) => void) {
    this.#signal = signal;
    this.#onOver = onOver;
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener("abort", this.#leave, { once: true });
  }

  /** @param slot Has it among its waits, as the first or by `addWait`. */
  add(slot: Slot): void {
    this.slots.push(slot);
    this.#missing += 1;
  }

  onFetched(): void {
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#resolve(this.slots.map(fetchedOf));
    this.#part();
  }

  end(failure: unknown): void {
    this.#reject(failure);
    this.#part();
  }

  #part(): void {
    this.#signal.removeEventListener("abort", this.#leave);
    for (const slot of this.slots) slot.removeWait(this);
    this.#onOver(this.slots);
  }
}

function fetchedOf({ fetched }: Slot): Fetched {
  if (fetched === undefined) throw new Error("An input came back without a vector.");
  return fetched;
}
