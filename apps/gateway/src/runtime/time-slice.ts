import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

const sliceMs = 8;

/** Splits long work into slices, so that other requests run in between: `if (slice.isOver) await slice.yield()`. */
export class TimeSlice {
  #sliceEnd = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() > this.#sliceEnd;
  }

  async yield(): Promise<void> {
    await setImmediate();
    this.#sliceEnd = performance.now() + sliceMs;
  }
}
