import { hash } from "node:crypto";
import { unlessAborted } from "../domain/unless-aborted.js";
import { GatewayError } from "../errors.js";
import type { AnswerStore, StoredAnswer, StoredEntry } from "./answer-store.js";

/** A request that carries an Idempotency-Key. */
export interface Claim {
  readonly caller: string;
  readonly operation: "createImage" | "createImageEdit";
  readonly key: string;
  readonly fingerprint: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** Makes an answer; it resolves only when the whole answer is there. */
export type Make = (signal: AbortSignal) => Promise<StoredAnswer>;

export interface Idempotency {
  /** Makes the answer once. `make` gets a signal that aborts when the last of those who wait has left. */
  run(claim: Claim, make: Make): Promise<{ readonly answer: StoredAnswer; readonly replayed: boolean }>;
}

export interface IdempotencyOptions {
  /** Told when the store fails: the request goes on, but its answer may not be found again. */
  readonly onFailure: (failure: unknown) => void;
}

/** Requests of one caller and operation with the same key are answered with one answer, now and while it is stored. */
export function createIdempotency(store: AnswerStore, options: IdempotencyOptions): Idempotency {
  return new Attempts(store, options);
}

/** One scope while somebody waits: what is stored is looked up first, and when nothing is, the answer is made. */
interface Attempt {
  readonly id: string;
  readonly stored: Promise<StoredEntry | undefined>;
  readonly controller: AbortController;
  making: { readonly fingerprint: string; readonly answer: Promise<StoredAnswer> } | undefined;
  /** From here on it is paid for, and is written even when nobody waits. */
  isMade: boolean;
  waiters: number;
}

class Attempts implements Idempotency {
  readonly #store: AnswerStore;
  readonly #onFailure: (failure: unknown) => void;
  readonly #running = new Map<string, Attempt>();

  constructor(store: AnswerStore, { onFailure }: IdempotencyOptions) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  async run(claim: Claim, make: Make): Promise<{ answer: StoredAnswer; replayed: boolean }> {
    const { signal, fingerprint } = claim;
    signal.throwIfAborted();
    const attempt = this.#join(scopeId(claim));
    attempt.waiters += 1;
    try {
      const stored = await unlessAborted(attempt.stored, signal);
      if (stored !== undefined) {
        refuseOther(stored, claim);
        return { answer: stored.answer, replayed: true };
      }
      const replayed = attempt.making !== undefined;
      attempt.making ??= { fingerprint, answer: this.#make(attempt, { fingerprint, make }) };
      refuseOther(attempt.making, claim);
      return { answer: await unlessAborted(attempt.making.answer, signal), replayed };
    } finally {
      attempt.waiters -= 1;
      this.#release(attempt);
    }
  }

  /** The lookup is shared as well, so that nobody can miss an answer that is stored while they look. */
  #join(id: string): Attempt {
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const attempt: Attempt = {
      id,
      stored: this.#lookUp(id),
      controller: new AbortController(),
      making: undefined,
      isMade: false,
      waiters: 0,
    };
    this.#running.set(id, attempt);
    return attempt;
  }

  async #lookUp(id: string): Promise<StoredEntry | undefined> {
    try {
      return await this.#store.read(id);
    } catch (failure) {
      this.#onFailure(failure);
      return undefined;
    }
  }

  async #make(
    attempt: Attempt,
    { fingerprint, make }: { fingerprint: string; make: Make },
  ): Promise<StoredAnswer> {
    try {
      const answer = await make(attempt.controller.signal);
      // An answer that came although everyone had left is paid for too, unless somebody has begun anew since.
      if ((this.#running.get(attempt.id) ?? attempt) !== attempt) return answer;
      attempt.isMade = true;
      this.#running.set(attempt.id, attempt);
      await this.#keep(attempt.id, { fingerprint, answer });
      return answer;
    } finally {
      this.#forget(attempt);
    }
  }

  async #keep(id: string, entry: StoredEntry): Promise<void> {
    try {
      await this.#store.write(id, entry);
    } catch (failure) {
      this.#onFailure(failure);
    }
  }

  #release(attempt: Attempt): void {
    if (attempt.waiters > 0 || attempt.isMade) return;
    this.#forget(attempt);
    attempt.controller.abort(new Error("Nobody waits for this answer any more."));
  }

  #forget(attempt: Attempt): void {
    if (this.#running.get(attempt.id) === attempt) this.#running.delete(attempt.id);
  }
}

/** Names the answer in the store. The key is the caller's own and may say what nobody else should read. */
function scopeId({ caller, operation, key }: Claim): string {
  return hash("sha256", JSON.stringify([caller, operation, key]), "hex");
}

function refuseOther({ fingerprint }: { readonly fingerprint: string }, claim: Claim): void {
  if (fingerprint === claim.fingerprint) return;
  throw new GatewayError(
    "idempotency_conflict",
    `The Idempotency-Key '${claim.key}' was used with another request.`,
  );
}
