import { setTimeout } from "node:timers/promises";
import { errorOf, GatewayError, idempotencyUnavailable } from "@model-gateway/domain/errors";
import type { HolderProgress, LockAttempt, ResponseStore } from "./response-store.js";

/** The end of waiting for the lock: it is acquired, or another process has stored the response. */
export type IdempotencyLock = Extract<LockAttempt, { readonly kind: "acquired" | "stored" }>;

interface LockRequest {
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
  /** Interval of checks on a holder in another process, and their maximum. */
  readonly pollEveryMs: number;
  readonly pollsMax: number;
}

/**
 * Acquires the lock, and waits while another process holds it. If the holder fails, this rejects with the same failure.
 * If its callers have left, the lock is free and the next attempt may acquire it. If it died, this rejects with
 * `idempotency_outcome_unknown`: it may have bought the images.
 */
export async function acquireLock(request: LockRequest, source: LockSource): Promise<IdempotencyLock> {
  let pollsLeft = source.pollsMax;
  for (;;) {
    request.signal.throwIfAborted();
    const attempt = await tryLock(request, source);
    if (attempt.kind === "acquired") return attempt;
    if (attempt.kind === "lost") throw outcomeUnknown();
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

/** Without a lock, a repeated request would be bought again. So nothing is bought. */
async function tryLock({ id, fingerprint }: LockRequest, { store }: LockSource): Promise<LockAttempt> {
  try {
    return await store.lock(id, fingerprint);
  } catch (failure) {
    throw toUnavailable(failure);
  }
}

/** A response that exists in a store that is down has an error that says so. */
export function toUnavailable(failure: unknown): GatewayError {
  const isOutOfReach = failure instanceof GatewayError && failure.code === "image_store_unavailable";
  return isOutOfReach ? failure : idempotencyUnavailable(failure);
}

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

function outcomeUnknown(): GatewayError {
  return errorOf("idempotency_outcome_unknown", {});
}
