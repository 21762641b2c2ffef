import type { RequestMemory, Waiting } from "../domain/call-context.js";
import type { Clock } from "../domain/clock.js";
import { GatewayError } from "../errors.js";
import { anySignal } from "../runtime/abort.js";
import { FairQueue } from "./fair-queue.js";

/** Bodies of up to this size are read even while large ones wait. */
const smallBytesMax = 64 * 1024;
/** How many requests may wait for memory, and how long a body may. */
const waitingMax = 10_000;
const bodyWaitMsMax = 10_000;

/**
 * The memory for the bodies of all requests and replies in flight. A large body is read only while less than half is in
 * use. The other half is for replies: they never wait for a body, so a request that was read can always go on.
 */
export class MemoryBudget {
  readonly #bytesMax: number;
  readonly #clock: Clock;
  readonly #bodies = new FairQueue<true>({ max: waitingMax, whenFull: overloaded });
  readonly #replies = new FairQueue<true>({ max: waitingMax, whenFull: overloaded });
  #inUse = 0;

  constructor(bytesMax: number, clock: Clock) {
    this.#bytesMax = bytesMax;
    this.#clock = clock;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** The memory of a new request, which holds none yet. */
  open(): RequestMemory {
    let held = 0;
    const tryTake = (wanted: number, ceiling: number): true | undefined => {
      // A request that needs more than there is goes when it is alone.
      const bytes = Math.min(wanted, this.#bytesMax / 2);
      if (this.#inUse + bytes > ceiling) return undefined;
      this.#inUse += bytes;
      held += bytes;
      return true;
    };
    return {
      takeForBody: (bytes, waiting) => {
        const isLarge = bytes > smallBytesMax;
        const queue = isLarge ? this.#bodies : this.#replies;
        const take = () => tryTake(bytes, isLarge ? this.#bytesMax / 2 : this.#bytesMax);
        if ((!isLarge || queue.waiting === 0) && take()) return undefined;
        return this.#waitAWhile(queue, take, waiting);
      },
      forReplies: (bytes, caller) => {
        let isTaken = false;
        const take = (): true | undefined => {
          isTaken ||= tryTake(bytes, this.#bytesMax) === true;
          return isTaken || undefined;
        };
        return (signal) => {
          if (isTaken || (this.#replies.waiting === 0 && take())) return undefined;
          return this.#replies.enter(caller, take, signal).then(() => undefined);
        };
      },
      release: () => {
        if (held === 0) return;
        this.#inUse -= held;
        held = 0;
        if (this.#replies.waiting > 0) this.#replies.wake();
        if (this.#bodies.waiting > 0) this.#bodies.wake();
      },
    };
  }

  /** A body that was not read yet is refused after a while. A reply was paid for, so it waits as long as its call may. */
  async #waitAWhile(
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

function overloaded(): GatewayError {
  return new GatewayError("gateway_overloaded", "The gateway is busy with other large requests. Retry in a moment.", {
    retryAfterMs: 2000,
    nothingBilled: true,
  });
}
