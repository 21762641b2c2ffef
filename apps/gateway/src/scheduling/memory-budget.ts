import type { RequestMemory, TakeMemory, Waiting } from "../domain/call-context.js";
import type { Clock } from "../domain/clock.js";
import { GatewayError } from "../errors.js";
import { anySignal } from "../runtime/abort.js";
import { FairQueue } from "./fair-queue.js";

/** Bodies of up to this size are read even while large ones wait. */
const smallBytesMax = 64 * 1024;
/** Number of requests that may wait for memory, and the time limit of a body. */
const waitingMax = 10_000;
const bodyWaitMsMax = 10_000;

/**
 * The memory for the bodies of all requests and replies in flight. A large body is read only while less than half is in
 * use. The other half is for replies: they never wait for a body, so a request that was read can always go on.
 */
export class MemoryBudget {
  readonly bytesMax: number;
  readonly bodies = new FairQueue<true>({ max: waitingMax, whenFull: overloaded });
  readonly replies = new FairQueue<true>({ max: waitingMax, whenFull: overloaded });
  readonly #clock: Clock;
  #inUse = 0;

  constructor(bytesMax: number, clock: Clock) {
    this.bytesMax = bytesMax;
    this.#clock = clock;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** The memory of a new request, which holds none yet. */
  open(): RequestMemory {
    return new HeldMemory(this);
  }

  /** Takes bytes if no more than `ceiling` is in use with them. Returns how many; 0 if there is too little. */
  take(wanted: number, ceiling: number): number {
    // A request that needs more than there is goes when it is alone.
    const bytes = Math.min(wanted, this.bytesMax / 2);
    if (this.#inUse + bytes > ceiling) return 0;
    this.#inUse += bytes;
    return bytes;
  }

  giveBack(bytes: number): void {
    this.#inUse -= bytes;
    if (this.replies.waiting > 0) this.replies.wake();
    if (this.bodies.waiting > 0) this.bodies.wake();
  }

  /** A body that was not read yet is refused after a while. A reply was paid for, so it waits as long as its call may. */
  async waitAWhile(
    queue: FairQueue<true>,
    take: () => true | undefined,
    { caller, signal }: Waiting,
  ): Promise<void> {
    const timeout = new AbortController();
    const settled = new AbortController();
    void this.#clock.wait(bodyWaitMsMax, anySignal([signal, settled.signal])).then(
      () => timeout.abort(overloaded()),
      () => undefined,
    );
    try {
      await queue.enter(caller, take, anySignal([signal, timeout.signal]));
    } finally {
      settled.abort();
    }
  }
}

/** A class, not closures: every request has one. */
class HeldMemory implements RequestMemory {
  readonly #budget: MemoryBudget;
  #held = 0;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  takeForBody(bytes: number, waiting: Waiting): Promise<void> | undefined {
    const { bytesMax, bodies, replies } = this.#budget;
    const isLarge = bytes > smallBytesMax;
    const ceiling = isLarge ? bytesMax / 2 : bytesMax;
    if ((!isLarge || bodies.waiting === 0) && this.#take(bytes, ceiling)) return undefined;
    return this.#budget.waitAWhile(
      isLarge ? bodies : replies,
      () => this.#take(bytes, ceiling) || undefined,
      waiting,
    );
  }

  forReplies(bytes: number, caller: string): TakeMemory {
    const { bytesMax, replies } = this.#budget;
    let isTaken = false;
    const take = (): true | undefined => {
      isTaken ||= this.#take(bytes, bytesMax);
      return isTaken || undefined;
    };
    return (signal) => {
      if (isTaken || (replies.waiting === 0 && take())) return undefined;
      return replies.enter(caller, take, signal).then(() => undefined);
    };
  }

  release(): void {
    if (this.#held === 0) return;
    const bytes = this.#held;
    this.#held = 0;
    this.#budget.giveBack(bytes);
  }

  #take(bytes: number, ceiling: number): boolean {
    const taken = this.#budget.take(bytes, ceiling);
    this.#held += taken;
    return taken > 0 || bytes === 0;
  }
}

function overloaded(): GatewayError {
  return new GatewayError(
    "gateway_overloaded",
    "The gateway is busy with other large requests. Retry in a moment.",
    { retryAfterMs: 2000, nothingBilled: true },
  );
}
