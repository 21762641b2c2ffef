import { setTimeout } from "node:timers/promises";
import { GatewayError } from "../../errors.js";
import type { AnswerClaim, AnswerLease, AnswerStore, TheirProgress } from "./response-store.js";

/** What lets us answer: the right to make the answer, or that another process has made it. */
export type Right = Exclude<AnswerClaim, { readonly kind: "theirs" }>;

export interface RightWanted {
  readonly id: string;
  readonly fingerprint: string;
  /** Throws where another request has the key. */
  readonly refuseOther: (other: { readonly fingerprint: string }) => void;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
}

export interface RightSource {
  readonly store: AnswerStore;
  readonly onFailure: (failure: unknown) => void;
  /** How often one looks whether another process has made the answer, and how often at most. */
  readonly lookEveryMs: number;
  readonly looksMax: number;
}

/** Waits while another process makes the answer. What fails there fails here; what ends without a word is free again. */
export async function obtainRight(wanted: RightWanted, source: RightSource): Promise<Right> {
  let looksLeft = source.looksMax;
  for (;;) {
    wanted.signal.throwIfAborted();
    const claim = await tryToClaim(wanted, source);
    if (claim.kind === "mine") return claim;
    wanted.refuseOther(claim.kind === "stored" ? claim.entry : claim);
    if (claim.kind === "stored") return claim;
    let progress: TheirProgress = { kind: "under way" };
    while (progress.kind === "under way") {
      if (looksLeft === 0) throw stillUnderWay();
      looksLeft -= 1;
      await setTimeout(source.lookEveryMs, undefined, { signal: wanted.signal });
      progress = await tryToLook(claim.look, source);
    }
    if (progress.kind === "failed") throw progress.failure;
  }
}

/** A store that can not be reached fails no request: the answer is made, and who asks elsewhere does not know of it. */
async function tryToClaim(
  { id, fingerprint }: RightWanted,
  { store, onFailure }: RightSource,
): Promise<AnswerClaim> {
  try {
    return await store.claim(id, fingerprint);
  } catch (failure) {
    onFailure(failure);
    return { kind: "mine", lease: noLease };
  }
}

const noLease: AnswerLease = { release: async () => undefined };

async function tryToLook(
  look: () => Promise<TheirProgress>,
  { onFailure }: RightSource,
): Promise<TheirProgress> {
  try {
    return await look();
  } catch (failure) {
    onFailure(failure);
    return { kind: "under way" };
  }
}

function stillUnderWay(): GatewayError {
  return new GatewayError(
    "upstream_timeout",
    "The answer is still being made for an earlier request with this Idempotency-Key. Ask again with the same key.",
  );
}
