import { performance } from "node:perf_hooks";

/** Time limit of the work in one event-loop turn, for any number of requests. */
const turnMs = 4;
/** Minimum time for a piece of work, so that small and middling requests never wait behind large ones. */
const graceMs = 2;
/** Turns without long work after each turn with some. A small request takes some six turns, most of them very short. */
const freeTurns = 6;

/**
 * The time of one event-loop turn, shared by all long work of a thread. With 8 ms for each piece of work, four large
 * batches took 32 ms of one turn. Work that yields waits in line, and each turn resumes one piece. Each request or
 * upstream call has one place in it at a time, so the line is bounded by the limits on both.
 */
export class TurnBudget {
  readonly #now: () => number;
  readonly #nextTurn: (run: () => void) => void;
  #end = 0;
  readonly #line: (() => void)[] = [];
  readonly #bulkLine: (() => void)[] = [];
  #isBulkNext = false;
  readonly #resumeFirst = (): void => {
    const [first, second] = this.#isBulkNext ? [this.#bulkLine, this.#line] : [this.#line, this.#bulkLine];
    const resume = first.shift() ?? second.shift();
    this.#isBulkNext = !this.#isBulkNext;
    if (this.#waiting > 0) this.#afterFreeTurns();
    this.#end = this.#now() + turnMs;
    resume?.();
  };

  constructor(now: () => number, nextTurn: (run: () => void) => void) {
    this.#now = now;
    this.#nextTurn = nextTurn;
  }

  /** Begins a piece of work. Returns the time until which it need not yield. */
  begin(): number {
    const now = this.#now();
    // While work waits in line, the turn that it left is not over. Otherwise an old end belongs to an earlier turn.
    if (now > this.#end && this.#waiting === 0) this.#end = now + turnMs;
    return now + graceMs;
  }

  isOver(graceEnd: number): boolean {
    const now = this.#now();
    return now > this.#end && now > graceEnd;
  }

  yield(): Promise<void> {
    return this.#wait(this.#line);
  }

  /** Bulk work waits in a second line: the two take turns, however many pieces of bulk work there are. */
  yieldBulk(): Promise<void> {
    return this.#wait(this.#bulkLine);
  }

  get #waiting(): number {
    return this.#line.length + this.#bulkLine.length;
  }

  #wait(line: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      line.push(resolve);
      if (this.#waiting === 1) this.#afterFreeTurns();
    });
  }

  #afterFreeTurns(): void {
    let left = freeTurns;
    const pass = (): void => {
      left -= 1;
      this.#nextTurn(left < 0 ? this.#resumeFirst : pass);
    };
    pass();
  }
}

/** A thread has one event loop, so this is the one budget that cannot be passed in. */
const thisThread = new TurnBudget(() => performance.now(), setImmediate);

/** Splits long work into slices, so that other requests run in between: `if (slice.isOver) await slice.yield()`. */
export class TimeSlice {
  readonly #budget: TurnBudget;
  #graceEnd: number;

  constructor(budget = thisThread) {
    this.#budget = budget;
    this.#graceEnd = budget.begin();
  }

  get isOver(): boolean {
    return this.#budget.isOver(this.#graceEnd);
  }

  async yield(): Promise<void> {
    await this.#budget.yield();
    this.renew();
  }

  /** The same for work of a batch. */
  async yieldBulk(): Promise<void> {
    await this.#budget.yieldBulk();
    this.renew();
  }

  /** Begins a new slice after a wait for something else, such as a caller: time that passed without work is not used up. */
  renew(): void {
    this.#graceEnd = this.#budget.begin();
  }
}

/**
 * Waits for the next turn that bulk work may have, before each few requests of a batch. Their work goes on after the
 * call that begins it, so it is counted in requests: the clock would see only their beginnings.
 */
export function nextBulkTurn(): Promise<void> {
  return thisThread.yieldBulk();
}

/** Work that pauses, many times in a millisecond, where other requests may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does the work in time slices. */
export async function inSlices<T>(steps: Steps<T>, slice: TimeSlice): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slice.isOver) await slice.yield();
  }
}
