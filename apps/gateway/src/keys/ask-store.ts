import { unlessAborted } from "../domain/unless-aborted.js";
import { GatewayError } from "../errors.js";

/** A signal that aborts when the store has had long enough. */
export type Patience = () => AbortSignal;

const retryAfterMs = 1000;

/** Waits for the store while there is patience; what takes longer is as good as a store that can not be reached. */
export async function askStore<T>(answer: Promise<T>, patience: Patience): Promise<T> {
  const signal = patience();
  try {
    return await unlessAborted(answer, signal);
  } catch (cause) {
    throw signal.aborted ? storageUnavailable(cause) : cause;
  }
}

export function storageUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    "storage_unavailable",
    "The gateway's database can not be reached at the moment. Try again in a moment.",
    { cause, retryAfterMs },
  );
}
