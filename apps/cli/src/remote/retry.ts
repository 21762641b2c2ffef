import { setTimeout } from "node:timers/promises";
import { backoffMs } from "@model-gateway/runtime/backoff";
import { CommandError } from "./command-error.js";

/** The waits of a command that outlives a restart of the gateway. */
export interface Pacing {
  /** Between two looks at a batch, at first. */
  readonly pollMs: number;
  /** The longest of these waits. */
  readonly pollMsMax: number;
  /** Before the first retry. Each further wait is twice as long. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** Attempts of one call. */
  readonly attemptsMax: number;
  /** The longest wait for a response of a vector store. A search without an index reads the whole collection. */
  readonly storeMs: number;
}

/** The gateway may be gone for nine minutes. */
export const defaultPacing: Pacing = {
  pollMs: 500,
  pollMsMax: 5000,
  retryMs: 500,
  retryMsMax: 15_000,
  attemptsMax: 40,
  storeMs: 120_000,
};

/** Calls again after a transient failure. */
export async function withRetries<Done>(
  call: () => Promise<Done>,
  { pacing, signal }: { readonly pacing: Pacing; readonly signal: AbortSignal },
): Promise<Done> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (failure) {
      const isTransient = failure instanceof CommandError && failure.isTransient;
      if (!isTransient || attempt >= pacing.attemptsMax) throw failure;
    }
    await pause(backoffMs(attempt, { firstMs: pacing.retryMs, maxMs: pacing.retryMsMax }), signal);
  }
}

/** Waits, unless the person ends the command. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw new CommandError("Interrupted.");
  });
}
