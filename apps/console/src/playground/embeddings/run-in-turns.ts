/** The page stays responsive: a frame has 16 ms. */
const turnMs = 10;

/**
 * Runs long work in many short turns, between which the page reacts. The page's policy allows no script URL that is made
 * at run time, and with that no worker.
 */
export async function runInTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const until = performance.now() + turnMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Runs all steps at once. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
