import type { Clock } from "../domain/clock.js";
import type { Hedge } from "../domain/model.js";
import { anySignal } from "../runtime/abort.js";

const samplesMax = 128;
/** With fewer, nobody knows yet what is slow. */
const samplesMin = 20;
const savingsMax = 10;

/** When a second target is asked beside a slow first one, and how often that may be. */
export class Hedging {
  readonly #settings: Hedge;
  readonly #samples: number[] = [];
  #next = 0;
  #percentileMs: number | undefined;
  #saved = 0;

  constructor(settings: Hedge) {
    this.#settings = settings;
  }

  /** How long a target may take before another one is asked; undefined while that is not known. */
  get afterMs(): number | undefined {
    return "afterMs" in this.#settings ? this.#settings.afterMs : this.#percentileMs;
  }

  onRequest(): void {
    this.#saved = Math.min(savingsMax, this.#saved + this.#settings.maxPercent / 100);
  }

  /** Whether one more hedge stays within its share of all requests; if so, it is spent. */
  trySpend(): boolean {
    // Sums of hundredths miss a whole number by a hair.
    if (this.#saved < 1 - 1e-9) return false;
    this.#saved -= 1;
    return true;
  }

  /** How long an answer took, hedged or not. */
  observe(latencyMs: number): void {
    if (!("percentile" in this.#settings)) return;
    this.#samples[this.#next] = latencyMs;
    this.#next = (this.#next + 1) % samplesMax;
    // Sorting costs more than it tells on every single answer.
    const isDue = this.#next % 16 === 0 || this.#percentileMs === undefined;
    if (!isDue || this.#samples.length < samplesMin) return;
    const sorted = [...this.#samples].sort((left, right) => left - right);
    this.#percentileMs = sorted[Math.floor((sorted.length * this.#settings.percentile) / 100)];
  }
}

/** The reason of an abort: another target was faster. */
export class HedgeLostError extends Error {
  constructor() {
    super("Another target was faster.");
    this.name = "OutrunError";
  }
}

export interface Race<R> {
  readonly afterMs: number;
  readonly clock: Clock;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  readonly first: (signal: AbortSignal) => Promise<R>;
  /** Undefined where nobody else can be asked. */
  readonly second: (signal: AbortSignal) => Promise<R> | undefined;
}

/** Asks a second time when the first is slow. The first good answer wins, and the other is cancelled. */
export async function hedge<R>({ afterMs, clock, signal, first, second }: Race<R>): Promise<R> {
  const runners: AbortController[] = [];
  const start = (run: (signal: AbortSignal) => Promise<R> | undefined): Promise<R> | undefined => {
    const runner = new AbortController();
    runners.push(runner);
    return run(anySignal([signal, runner.signal]));
  };
  const one = start(first) as Promise<R>;
  try {
    if (!(await isSlow(one, { afterMs, clock, signal }))) return await one;
    const other = start(second);
    if (other === undefined) return await one;
    return await Promise.any([one, other]);
  } catch (failure) {
    // Both failed; what is true of either is told by the one that was asked last.
    throw failure instanceof AggregateError ? failure.errors.at(-1) : failure;
  } finally {
    for (const runner of runners) runner.abort(new HedgeLostError());
  }
}

async function isSlow(
  promise: Promise<unknown>,
  { afterMs, clock, signal }: Pick<Race<unknown>, "afterMs" | "clock" | "signal">,
): Promise<boolean> {
  const settled = new AbortController();
  const patience = clock.wait(afterMs, anySignal([signal, settled.signal])).then(
    () => true,
    () => false,
  );
  const answer = promise.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([answer, patience]);
  } finally {
    settled.abort();
  }
}
