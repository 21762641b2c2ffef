import { setTimeout } from "node:timers/promises";
import { GatewayError } from "../../errors.js";
import type { HolderProgress, LockAttempt, LockLease, ResponseStore } from "./response-store.js";

/** What lets us answer: the right to make the answer, or that another process has made it. */
export type IdempotencyLock = Exclude<LockAttempt, { readonly kind: "theirs" }>;

export interface LockRequest {
  readonly id: string;
  readonly fingerprint: string;
  /** Throws where another request has the key. */
  readonly refuseOther: (other: { readonly fingerprint: string }) => void;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
}

export interface LockSource {
  readonly store: ResponseStore;
  readonly onFailure: (failure: unknown) => void;
  /** How often one looks whether another process has made the answer, and how often at most. */
  readonly lookEveryMs: number;
  readonly looksMax: number;
}

/** Waits while another process makes the answer. What fails there fails here; what ends without a word is free again. */
export async function acquireLock(wanted: LockRequest, source: LockSource): Promise<IdempotencyLock> {
  let looksLeft = source.looksMax;
  for (;;) {
    wanted.signal.throwIfAborted();
    const claim = await tryLock(wanted, source);
    if (claim.kind === "mine") return claim;
    wanted.refuseOther(claim.kind === "stored" ? claim.entry : claim);
    if (claim.kind === "stored") return claim;
    let progress: HolderProgress = { kind: "under way" };
    while (progress.kind === "under way") {
      if (looksLeft === 0) throw stillInFlight();
      looksLeft -= 1;
      await setTimeout(source.lookEveryMs, undefined, { signal: wanted.signal });
      progress = await tryInspect(claim.look, source);
    }
    if (progress.kind === "failed") throw progress.failure;
  }
}

/** A store that cannot be reached fails no request: the answer is made, and who asks elsewhere does not know of it. */
async function tryLock(
  { id, fingerprint }: LockRequest,
  { store, onFailure }: LockSource,
): Promise<LockAttempt> {
  try {
    return await store.lock(id, fingerprint);
  } catch (failure) {
    onFailure(failure);
    return { kind: "mine", lease: noLease };
  }
}

const noLease: LockLease = { release: async () => undefined };

async function tryInspect(
  look: () => Promise<HolderProgress>,
  { onFailure }: LockSource,
): Promise<HolderProgress> {
  try {
    return await look();
  } catch (failure) {
    onFailure(failure);
    return { kind: "under way" };
  }
}

function stillInFlight(): GatewayError {
  return new GatewayError(
    "upstream_timeout",
    "The response is still being created for an earlier request with this Idempotency-Key. Retry with the same key.",
  );
}
