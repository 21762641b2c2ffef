import { hash } from "node:crypto";
import { GatewayError } from "../../errors.js";
import { unlessAborted } from "../../runtime/abort.js";
import { obtainRight, type Right, type RightSource } from "./lock.js";
import type { AnswerLease, AnswerStore, StoredAnswer, StoredEntry } from "./response-store.js";

/** A request that carries an Idempotency-Key. */
export interface Claim {
  readonly caller: string;
  readonly operation: "createImage" | "createImageEdit";
  readonly key: string;
  readonly fingerprint: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Told when this request is the one that has the answer made: others may wait for it when its caller has left. */
  readonly onMaking?: (outcome: Promise<unknown>) => void;
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
  /** How often one looks whether another process has made the answer. */
  readonly lookEveryMs?: number;
  /** How long one waits for another process. */
  readonly waitMs?: number;
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
  making: Making | undefined;
  /** From here on it is paid for, and is written even when nobody waits. */
  isMade: boolean;
  waiters: number;
}

interface Making {
  readonly fingerprint: string;
  /** Rejects where the answer will not be made, as when another process makes another one. */
  readonly right: Promise<Right>;
  readonly outcome: Promise<Outcome>;
}

interface Outcome {
  readonly answer: StoredAnswer;
  readonly replayed: boolean;
}

class Attempts implements Idempotency {
  readonly #source: RightSource;
  readonly #running = new Map<string, Attempt>();
  /** Rights that are being given back. Who comes next waits, so as not to take them for another process's. */
  readonly #releasing = new Map<string, Promise<unknown>>();

  constructor(store: AnswerStore, { onFailure, lookEveryMs = 250, waitMs = 600_000 }: IdempotencyOptions) {
    this.#source = { store, onFailure, lookEveryMs, looksMax: Math.ceil(waitMs / lookEveryMs) };
  }

  async run(claim: Claim, make: Make): Promise<Outcome> {
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
      const isFirst = attempt.making === undefined;
      attempt.making ??= this.#begin(attempt, claim, make);
      const { making } = attempt;
      if (isFirst) claim.onMaking?.(making.outcome);
      if (making.fingerprint === fingerprint) {
        const outcome = await unlessAborted(making.outcome, signal);
        return isFirst ? outcome : { ...outcome, replayed: true };
      }
      // The other came first only if it will be made. Else it is refused itself, and is in nobody's way.
      if (await unlessAborted(isFulfilled(making.right), signal)) refuseOther(making, claim);
    } finally {
      attempt.waiters -= 1;
      this.#release(attempt);
    }
    return this.run(claim, make);
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
    const { store, onFailure } = this.#source;
    try {
      return await store.read(id);
    } catch (failure) {
      onFailure(failure);
      return undefined;
    }
  }

  #begin(attempt: Attempt, claim: Claim, make: Make): Making {
    const { fingerprint } = claim;
    const right = this.#claim(attempt, claim);
    const outcome = right.then((right) => this.#answer(attempt, { right, fingerprint, make }));
    // Whoever waits hears of a failure; where all have left, nobody need.
    outcome.catch(() => undefined);
    return { fingerprint, right, outcome };
  }

  async #claim(attempt: Attempt, claim: Claim): Promise<Right> {
    const { id, controller } = attempt;
    try {
      await this.#releasing.get(id);
      return await obtainRight(
        {
          id,
          fingerprint: claim.fingerprint,
          refuseOther: (other) => refuseOther(other, claim),
          signal: controller.signal,
        },
        this.#source,
      );
    } catch (failure) {
      this.#forget(attempt);
      throw failure;
    }
  }

  async #answer(attempt: Attempt, { right, ...how }: HowToMake & { right: Right }): Promise<Outcome> {
    try {
      if (right.kind === "stored") return { answer: right.entry.answer, replayed: true };
      return { answer: await this.#make(attempt, right.lease, how), replayed: false };
    } finally {
      this.#forget(attempt);
    }
  }

  async #make(attempt: Attempt, lease: AnswerLease, { fingerprint, make }: HowToMake): Promise<StoredAnswer> {
    const { signal } = attempt.controller;
    try {
      signal.throwIfAborted();
      const answer = await make(signal);
      // An answer that came although everyone had left is paid for too, unless somebody has begun anew since.
      if ((this.#running.get(attempt.id) ?? attempt) !== attempt) return answer;
      attempt.isMade = true;
      this.#running.set(attempt.id, attempt);
      await this.#keep(attempt.id, { fingerprint, answer });
      await this.#giveBack(lease);
      return answer;
    } catch (failure) {
      // What was given up is no failure: whoever waits in another process makes it then.
      if (!signal.aborted) await this.#giveBack(lease, toGatewayError(failure));
      throw failure;
    }
  }

  async #keep(id: string, entry: StoredEntry): Promise<void> {
    const { store, onFailure } = this.#source;
    try {
      await store.write(id, entry);
    } catch (failure) {
      onFailure(failure);
    }
  }

  async #giveBack(lease: AnswerLease, failure?: GatewayError): Promise<void> {
    try {
      await lease.release(failure);
    } catch (unreleased) {
      this.#source.onFailure(unreleased);
    }
  }

  #release(attempt: Attempt): void {
    if (attempt.waiters > 0 || attempt.isMade) return;
    this.#forget(attempt);
    attempt.controller.abort(new Error("Nobody waits for this answer any more."));
    if (attempt.making !== undefined) this.#giveUp(attempt.id, attempt.making.right);
  }

  /** The right may still be on its way. */
  #giveUp(id: string, right: Promise<Right>): void {
    const given = right.then(
      (right) => (right.kind === "mine" ? this.#giveBack(right.lease) : undefined),
      () => undefined,
    );
    const releasing = Promise.all([this.#releasing.get(id), given]).then(() => {
      if (this.#releasing.get(id) === releasing) this.#releasing.delete(id);
    });
    this.#releasing.set(id, releasing);
  }

  #forget(attempt: Attempt): void {
    if (this.#running.get(attempt.id) === attempt) this.#running.delete(attempt.id);
  }
}

interface HowToMake {
  readonly fingerprint: string;
  readonly make: Make;
}

function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

function toGatewayError(failure: unknown): GatewayError {
  if (failure instanceof GatewayError) return failure;
  return new GatewayError("internal_error", "The gateway failed while it made the answer.", {
    cause: failure,
  });
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
