/**
 * A signal that aborts when the given one does, if any, or with a `TimeoutError` after this time.
 *
 * `AbortSignal.any` refers weakly to its sources, and nothing else refers to a timeout that was made for it: once garbage
 * is collected, it never fires. A listener makes Node keep it. https://github.com/nodejs/node/issues/57736
 */
export function untilTimeout(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  timeout.addEventListener("abort", () => undefined, { once: true });
  return AbortSignal.any(signal === undefined ? [timeout] : [signal, timeout]);
}
