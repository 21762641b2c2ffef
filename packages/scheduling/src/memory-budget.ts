import type { RequestMemory, TakeMemory, Waiting } from "@model-gateway/domain/call-context";
import { GatewayError } from "@model-gateway/domain/errors";
import { anySignal } from "@model-gateway/runtime/abort";
import type { Clock } from "@model-gateway/runtime/clock";
import { SharedPool, shareLeft } from "@model-gateway/runtime/shared-pool";
import { FairQueue } from "./fair-queue.js";

/** Bodies of up to this size are read even while large ones wait. */
const smallBytesMax = 64 * 1024;
/** Number of requests that may wait for memory, and the time limit of a body. */
const waitingMax = 10_000;
const bodyWaitMsMax = 10_000;

/** Small bodies, large bodies, and replies: each has its own line, and its own share for each key. */
type LineName = "small" | "large" | "replies";

/** Memory that a request asks for. */
interface MemoryDemand {
  readonly caller: string;
  readonly bytes: number;
  /** The memory that counts for the share of the key. */
  readonly held: number;
}

/**
 * The memory for the bodies of all requests and replies in flight. A large body is read only while less than half is in
 * use. The other half is for replies: they never wait for a body, so a request that was read can always go on. A key has
 * as much as it leaves free.
 */
export class MemoryBudget {
  readonly bytesMax: number;
  readonly lines: Readonly<Record<LineName, MemoryLine>>;
  readonly #clock: Clock;

  constructor(bytesMax: number, clock: Clock) {
    this.bytesMax = bytesMax;
    this.lines = {
      replies: new MemoryLine(bytesMax),
      small: new MemoryLine(bytesMax),
      large: new MemoryLine(bytesMax / 2),
    };
    this.#clock = clock;
  }

  get inUse(): number {
    const { replies, small, large } = this.lines;
    return replies.held.used + small.held.used + large.held.used;
  }

  /** The memory of a new request, which holds none yet. */
  open(): RequestMemory {
    return new HeldMemory(this);
  }

  /** A request that needs more than there is goes when it is alone. */
  bounded(bytes: number): number {
    return Math.min(bytes, this.bytesMax / 2);
  }

  take(line: MemoryLine, { caller, bytes, held }: MemoryDemand): boolean {
    const left = shareLeft({ max: line.held.max, used: this.inUse, held });
    // A key that holds nothing goes first.
    if (bytes > left || (held > 0 && bytes > left - line.keptFor(left))) return false;
    line.held.add(caller, bytes);
    return true;
  }

  giveBack({ held }: MemoryLine, caller: string, bytes: number): void {
    held.giveBack(caller, bytes);
    const { replies, small, large } = this.lines;
    if (replies.queue.waiting > 0) replies.queue.wake();
    if (small.queue.waiting > 0) small.queue.wake();
    if (large.queue.waiting > 0) large.queue.wake();
  }

  /** A body that was not read yet is refused after a while. A reply was paid for, so it waits as long as its call may. */
  async waitAWhile(
    { queue }: MemoryLine,
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

/** The memory that keys hold of one sort, and the line of those that wait for more. */
class MemoryLine {
  readonly held: SharedPool;
  readonly queue = new FairQueue<true>({ max: waitingMax, whenFull: overloaded });
  /** By key: the most that one of its waiting requests wants, and how many wait. */
  readonly #wanted = new Map<string, { bytes: number; requests: number }>();

  constructor(bytesMax: number) {
    this.held = new SharedPool(bytesMax);
  }

  /**
   * The memory that is kept for waiting keys that hold nothing. Without it, keys that hold much could fill every gap with
   * small requests, and a large one would wait for ever.
   *
   * @param enough More is of no interest: a crowd is not counted to its end.
   */
  keptFor(enough: number): number {
    let bytes = 0;
    for (const [caller, wanted] of this.#wanted) {
      if (this.held.heldBy(caller) === 0) bytes += wanted.bytes;
      if (bytes >= enough) break;
    }
    return bytes;
  }

  /** Waits in the line of the key. */
  async wait(wanted: number, wait: () => Promise<unknown>, caller: string): Promise<void> {
    const line = this.#wanted.get(caller) ?? { bytes: 0, requests: 0 };
    line.bytes = Math.max(line.bytes, wanted);
    line.requests += 1;
    this.#wanted.set(caller, line);
    try {
      await wait();
    } finally {
      line.requests -= 1;
      if (line.requests === 0) this.#wanted.delete(caller);
    }
  }
}

/** A class, not closures: every request has one. */
class HeldMemory implements RequestMemory {
  readonly #budget: MemoryBudget;
  readonly #held: Record<LineName, number> = { small: 0, large: 0, replies: 0 };
  /** The key of the request, once it has taken some. */
  #caller = "";

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  takeForBody(bytes: number, waiting: Waiting): Promise<void> | undefined {
    const name = bytes > smallBytesMax ? "large" : "small";
    const { caller } = waiting;
    const take = () => this.#take(name, caller, bytes) || undefined;
    const line = this.#budget.lines[name];
    const place = this.#placeOf(name, caller);
    if (!line.queue.has(place) && take()) return undefined;
    const wait = () => this.#budget.waitAWhile(line, take, { ...waiting, caller: place });
    return line.wait(this.#budget.bounded(bytes), wait, caller);
  }

  forReplies(bytes: number, caller: string): TakeMemory {
    const line = this.#budget.lines.replies;
    let isTaken = false;
    const take = (): true | undefined => {
      isTaken ||= this.#take("replies", caller, bytes);
      return isTaken || undefined;
    };
    return (signal) => {
      if (isTaken) return undefined;
      const place = this.#placeOf("replies", caller);
      if (!line.queue.has(place) && take()) return undefined;
      return line.wait(this.#budget.bounded(bytes), () => line.queue.enter(place, take, signal), caller);
    };
  }

  settleReplies(bytes: number): void {
    this.#keep("replies", bytes);
  }

  release(): void {
    this.#keep("replies", 0);
    this.#keep("large", 0);
    this.#keep("small", 0);
  }

  #take(name: LineName, caller: string, wanted: number): boolean {
    const line = this.#budget.lines[name];
    const bytes = this.#budget.bounded(wanted);
    // Two requests of a key that have begun to take would wait for each other.
    const held = this.#held[name] > 0 ? 0 : line.held.heldBy(caller);
    if (!this.#budget.take(line, { caller, bytes, held })) return false;
    this.#caller = caller;
    this.#held[name] += bytes;
    return true;
  }

  #keep(name: LineName, bytes: number): void {
    const surplus = this.#held[name] - bytes;
    if (surplus <= 0) return;
    this.#held[name] = bytes;
    this.#budget.giveBack(this.#budget.lines[name], this.#caller, surplus);
  }

  /**
   * The line of a key's requests that have begun to take is separate: they do not stand behind its other requests, which
   * may wait for what they hold.
   */
  #placeOf(name: LineName, caller: string): string {
    return this.#held[name] > 0 ? `${caller}\0further` : caller;
  }
}

function overloaded(): GatewayError {
  return new GatewayError(
    "gateway_overloaded",
    "The gateway is busy with other large requests. Retry in a moment.",
    { retryAfterMs: 2000, nothingBilled: true },
  );
}
