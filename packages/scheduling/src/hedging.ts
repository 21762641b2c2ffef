import type { Hedge } from "@model-gateway/domain/model";
import { anySignal } from "@model-gateway/runtime/abort";
import type { Clock } from "@model-gateway/runtime/clock";
import { LatencyWindow } from "./latency-window.js";

/** With fewer samples the percentile is not known. */
const samplesMin = 20;
/** Sorting on every sample would cost more than it gains. */
const sortedEvery = 16;
const balanceMax = 10;

/** Decides when a slow call is hedged with a second one, and bounds how many are. */
export class Hedging {
  readonly #settings: Hedge;
  readonly #window = new LatencyWindow();
  #unsorted = 0;
  #percentileMs: number | undefined;
  #balance = 0;

  constructor(settings: Hedge) {
    this.#settings = settings;
  }

  /** Time that a call may take before it is hedged; undefined until there are enough samples. */
  get afterMs(): number | undefined {
    return "afterMs" in this.#settings ? this.#settings.afterMs : this.#percentileMs;
  }

  onRequest(): void {
    this.#balance = Math.min(balanceMax, this.#balance + this.#settings.maxPercent / 100);
  }

  /** Whether one more hedge is within its share of all requests; if so, it is spent. */
  trySpend(): boolean {
    // A sum of hundredths may be slightly below a whole number.
    if (this.#balance < 1 - 1e-9) return false;
    this.#balance -= 1;
    return true;
  }

  /** Records the latency of a successful call, hedged or not. */
  observe(latencyMs: number): void {
    if (!("percentile" in this.#settings)) return;
    this.#window.observe(latencyMs);
    this.#unsorted += 1;
    const isDue = this.#unsorted >= sortedEvery || this.#percentileMs === undefined;
    if (!isDue || this.#window.size < samplesMin) return;
    this.#unsorted = 0;
    this.#percentileMs = this.#window.percentile(this.#settings.percentile);
  }
}

/** The abort reason of the call that lost: the other one was faster. */
export class HedgeLostError extends Error {
  constructor() {
    super("Another target was faster.");
    this.name = "HedgeLostError";
  }
}

interface HedgedCall<R> {
  readonly afterMs: number;
  readonly clock: Clock;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  readonly first: (signal: AbortSignal) => Promise<R>;
  /** Returns undefined where no other target can be called. */
  readonly second: (signal: AbortSignal) => Promise<R> | undefined;
}

/** Makes a second call when the first is slow. The first success wins, and the other call is aborted. */
export async function hedge<R>({ afterMs, clock, signal, first, second }: HedgedCall<R>): Promise<R> {
  const controllers: AbortController[] = [];
  const start = (call: (signal: AbortSignal) => Promise<R> | undefined): Promise<R> | undefined => {
    const controller = new AbortController();
    controllers.push(controller);
    return call(anySignal([signal, controller.signal]));
  };
  const one = start(first) as Promise<R>;
  try {
    if (!(await isSlow(one, { afterMs, clock, signal }))) return await one;
    const other = start(second);
    if (other === undefined) return await one;
    return await Promise.any([one, other]);
  } catch (failure) {
    // Both failed: the failure of the second call is reported.
    throw failure instanceof AggregateError ? failure.errors.at(-1) : failure;
  } finally {
    for (const controller of controllers) controller.abort(new HedgeLostError());
  }
}

async function isSlow(
  promise: Promise<unknown>,
  { afterMs, clock, signal }: Pick<HedgedCall<unknown>, "afterMs" | "clock" | "signal">,
): Promise<boolean> {
  const settled = new AbortController();
  const afterTimeout = clock.wait(afterMs, anySignal([signal, settled.signal])).then(
    () => true,
    () => false,
  );
  const afterReply = promise.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([afterReply, afterTimeout]);
  } finally {
    settled.abort();
  }
}
