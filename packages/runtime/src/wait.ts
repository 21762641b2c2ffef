import { setTimeout } from "node:timers";

/**
 * Waits, and rejects with the signal's reason when it aborts. Unlike the wait of `node:timers/promises`, it creates no
 * error with a stack when it ends early, as most waits of a queue do.
 */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return waitFor(signal, (resolve) => setTimeout(resolve, ms));
}

/** The same, but it keeps no process alive. */
export function waitInBackground(ms: number, signal: AbortSignal): Promise<void> {
  return waitFor(signal, (resolve) => setTimeout(resolve, ms).unref());
}

function waitFor(signal: AbortSignal, start: (resolve: () => void) => NodeJS.Timeout): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = start(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
