import { Lines } from "./lines.js";

/** Bounds how many tasks run at once. Keys take turns, so a key with a thousand tasks delays its own. */
export class FairSemaphore {
  #free: number;
  readonly #waiting = new Lines<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.add(key, resolve));
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    const next = this.#waiting.take();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
