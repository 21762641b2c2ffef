import { anySignal } from "../domain/abort.js";
import type { Clock } from "./clock.js";

/** The reason of an abort: another target was faster. */
export class OutrunError extends Error {
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
export async function hedged<R>({ afterMs, clock, signal, first, second }: Race<R>): Promise<R> {
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
    for (const runner of runners) runner.abort(new OutrunError());
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
