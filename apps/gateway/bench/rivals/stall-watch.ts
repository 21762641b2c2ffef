import { existsSync, openSync, readSync } from "node:fs";

/** The timer's interval. It is part of every gap between two ticks. */
const intervalMs = 2;

/** A gap of more is a late turn. */
const lateMs = 20;

/** The main thread's CPU time in nanoseconds; Linux has this file. */
const schedulerFile = `/proc/self/task/${process.pid}/schedstat`;

export interface Stalls {
  /** The longest time that a due timer waited. */
  readonly longestMs: number;
  /**
   * The most CPU time that the main thread used between two ticks: an upper bound for one piece of work. A stall is
   * longer if the thread had to wait for a core that other threads of the process use.
   */
  readonly longestWorkMs?: number;
  /** Late turns in which the main thread worked for most of the time. Those include collections of garbage. */
  readonly lateByWork: number;
  /** Late turns in which it mostly waited for a core: other threads, other processes or a hypervisor had it. */
  readonly lateByWaiting: number;
}

/** Watches the event loop of this process by a timer. */
export class StallWatch {
  /** Read into one buffer: `readFileSync` takes 64 KB each time, and their collection would be the stall. */
  readonly #file = existsSync(schedulerFile) ? openSync(schedulerFile, "r") : undefined;
  readonly #read = Buffer.alloc(256);
  #timer: NodeJS.Timeout | undefined;
  #longestMs = 0;
  #longestWorkMs = 0;
  #lateByWork = 0;
  #lateByWaiting = 0;

  start(): void {
    this.#longestMs = 0;
    this.#longestWorkMs = 0;
    this.#lateByWork = 0;
    this.#lateByWaiting = 0;
    let lastTick = performance.now();
    let lastWork = this.#readWork();
    this.#timer = setInterval(() => {
      const tick = performance.now();
      const work = this.#readWork();
      this.#longestMs = Math.max(this.#longestMs, tick - lastTick - intervalMs);
      this.#longestWorkMs = Math.max(this.#longestWorkMs, work - lastWork);
      if (tick - lastTick > lateMs && work - lastWork > (tick - lastTick) / 2) this.#lateByWork += 1;
      else if (tick - lastTick > lateMs) this.#lateByWaiting += 1;
      lastTick = tick;
      lastWork = work;
    }, intervalMs).unref();
  }

  stop(): Stalls {
    clearInterval(this.#timer);
    return {
      longestMs: this.#longestMs,
      lateByWork: this.#lateByWork,
      lateByWaiting: this.#lateByWaiting,
      ...(this.#file !== undefined ? { longestWorkMs: this.#longestWorkMs } : {}),
    };
  }

  #readWork(): number {
    if (this.#file === undefined) return 0;
    const bytes = readSync(this.#file, this.#read, 0, this.#read.length, 0);
    return Number.parseInt(this.#read.toString("latin1", 0, bytes), 10) / 1e6;
  }
}
