import { existsSync, readFileSync } from "node:fs";

/** The timer's interval. It is part of every gap between two ticks. */
const intervalMs = 2;

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
}

/** Watches the event loop of this process by a timer. */
export class StallWatch {
  readonly #canReadWork = existsSync(schedulerFile);
  #timer: NodeJS.Timeout | undefined;
  #longestMs = 0;
  #longestWorkMs = 0;

  start(): void {
    this.#longestMs = 0;
    this.#longestWorkMs = 0;
    let lastTick = performance.now();
    let lastWork = this.#readWork();
    this.#timer = setInterval(() => {
      const tick = performance.now();
      const work = this.#readWork();
      this.#longestMs = Math.max(this.#longestMs, tick - lastTick - intervalMs);
      this.#longestWorkMs = Math.max(this.#longestWorkMs, work - lastWork);
      lastTick = tick;
      lastWork = work;
    }, intervalMs).unref();
  }

  stop(): Stalls {
    clearInterval(this.#timer);
    return {
      longestMs: this.#longestMs,
      ...(this.#canReadWork ? { longestWorkMs: this.#longestWorkMs } : {}),
    };
  }

  #readWork(): number {
    return this.#canReadWork ? Number.parseInt(readFileSync(schedulerFile, "latin1"), 10) / 1e6 : 0;
  }
}
