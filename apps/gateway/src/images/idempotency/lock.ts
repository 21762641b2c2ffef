import { setTimeout } from "node:timers/promises";
import { GatewayError } from "../../errors.js";
import type { HolderProgress, LockAttempt, LockLease, ResponseStore } from "./response-store.js";

/** How waiting for the lock ends: it is acquired, or another process has stored the response. */
export type IdempotencyLock = Exclude<LockAttempt, { readonly kind: "held" }>;

export interface LockRequest {
  readonly id: string;
  readonly fingerprint: string;
  /** Throws if the key belongs to a request with another fingerprint. */
  readonly refuseConflict: (other: { readonly fingerprint: string }) => void;
  /** Aborts when the last waiter has left. */
  readonly signal: AbortSignal;
}

export interface LockSource {
  readonly store: ResponseStore;
  readonly onFailure: (failure: unknown) => void;
  /** How often a holder in another process is inspected, and how many times at most. */
  readonly pollEveryMs: number;
  readonly pollsMax: number;
}

/**
 * Acquires the lock, and waits while another process holds it. If the holder fails, this rejects with the same failure.
 * If it ends without a response, for example because it died, the lock is free and the next attempt may acquire it.
 */
export async function acquireLock(request: LockRequest, source: LockSource): Promise<IdempotencyLock> {
  let pollsLeft = source.pollsMax;
  for (;;) {
    request.signal.throwIfAborted();
    const attempt = await tryLock(request, source);
    if (attempt.kind === "acquired") return attempt;
    request.refuseConflict(attempt.kind === "stored" ? attempt.entry : attempt);
    if (attempt.kind === "stored") return attempt;
    let progress: HolderProgress = { kind: "in flight" };
    while (progress.kind === "in flight") {
      if (pollsLeft === 0) throw stillInFlight();
      pollsLeft -= 1;
      await setTimeout(source.pollEveryMs, undefined, { signal: request.signal });
      progress = await tryInspect(attempt.inspect, source);
    }
    if (progress.kind === "failed") throw progress.failure;
  }
}

/** A store that cannot be reached fails no request. This process then goes on without a lock that others can see. */
async function tryLock(
  { id, fingerprint }: LockRequest,
  { store, onFailure }: LockSource,
): Promise<LockAttempt> {
  try {
    return await store.lock(id, fingerprint);
  } catch (failure) {
    if (isOutOfReach(failure)) throw failure;
    onFailure(failure);
    return { kind: "acquired", lease: noLease };
  }
}

/** Whether a response is known to exist, and cannot be read now. Any other failure may mean that there is none. */
export function isOutOfReach(failure: unknown): boolean {
  return failure instanceof GatewayError && failure.code === "image_store_unavailable";
}

const noLease: LockLease = { release: async () => undefined };

async function tryInspect(
  inspect: () => Promise<HolderProgress>,
  { onFailure }: LockSource,
): Promise<HolderProgress> {
  try {
    return await inspect();
  } catch (failure) {
    onFailure(failure);
    return { kind: "in flight" };
  }
}

function stillInFlight(): GatewayError {
  return new GatewayError(
    "upstream_timeout",
    "The response is still being created for an earlier request with this Idempotency-Key. Retry with the same key.",
  );
}
