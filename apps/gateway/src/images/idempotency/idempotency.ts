/**
 * A request with an Idempotency-Key is carried out once; a repeated one gets the same response. Three layers do this:
 *
 * 1. Single-flight within the process. Requests of one caller and operation with the same key join one `SharedRun`.
 *    The first of them starts its `Creation`, and the others wait for the outcome. The creation is cancelled when the
 *    last of them has left.
 * 2. A lock across processes, in `lock.ts`. A creation starts by acquiring the `IdempotencyLock` of the key in the
 *    store that all replicas share. A `LockAttempt` acquires it, with a `LockLease` that keeps it alive; or it finds
 *    the response stored; or it finds the lock held by another process, whose `HolderProgress` is then polled.
 * 3. Stored responses for replays, in `response-store.ts`. A response is stored before it is sent. While it is stored,
 *    the same request gets it again, and a request with another fingerprint is refused with `idempotency_conflict`.
 *
 * A failure is not stored, so a client may retry with the same key. Nothing is bought in silence a second time: without a
 * lock the request is refused with `idempotency_unavailable` before the purchase. A lock whose holder died, and a response
 * that could not be stored or was evicted, are `idempotency_outcome_unknown` from then on, for a day.
 */
import { hash } from "node:crypto";
import { errorOf, GatewayError } from "../../errors.js";
import { unlessAborted } from "../../runtime/abort.js";
import { acquireLock, type IdempotencyLock, type LockSource, toUnavailable } from "./lock.js";
import type { LockLease, ResponseStore, StoredEntry, StoredResponse } from "./response-store.js";

/** A request that carries an Idempotency-Key. */
export interface IdempotentRequest {
  readonly caller: string;
  readonly operation: "createImage" | "createImageEdit";
  readonly key: string;
  readonly fingerprint: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Called when this request starts the creation. Others may still wait for the outcome after its caller has left. */
  readonly onStarted?: (outcome: Promise<unknown>) => void;
}

/** Creates a response. It resolves only once the whole response is there. */
export type CreateResponse = (signal: AbortSignal) => Promise<StoredResponse>;

export interface IdempotentResult {
  readonly response: StoredResponse;
  readonly replayed: boolean;
}

export interface IdempotencyOptions {
  /** Called when the store fails after the purchase. The request goes on, but its response is not replayed later. */
  readonly onFailure: (failure: unknown) => void;
  /** Interval of checks whether another process has created the response. */
  readonly pollEveryMs?: number;
  /** Time to wait for another process. */
  readonly waitMs?: number;
}

/** All requests in flight with one key: the store is read first, and on a miss the response is created. */
interface SharedRun {
  readonly id: string;
  readonly stored: Promise<StoredEntry | undefined>;
  readonly controller: AbortController;
  creation: Creation | undefined;
  /** From here on the response is paid for, so it is stored even when no waiter is left. */
  isCreated: boolean;
  waiters: number;
}

/** The creation of a response, on behalf of every waiter with the same fingerprint. */
interface Creation {
  readonly fingerprint: string;
  /** Rejects if this creation is abandoned, for example because another process serves another request. */
  readonly lock: Promise<IdempotencyLock>;
  readonly outcome: Promise<IdempotentResult>;
}

interface CreationRequest {
  readonly fingerprint: string;
  readonly create: CreateResponse;
}

export class Idempotency {
  readonly #source: LockSource;
  readonly #runs = new Map<string, SharedRun>();
  /** Locks that are being released. The next run waits for that, or it would find them held by another process. */
  readonly #releasing = new Map<string, Promise<unknown>>();

  constructor(store: ResponseStore, { onFailure, pollEveryMs = 250, waitMs = 600_000 }: IdempotencyOptions) {
    this.#source = { store, onFailure, pollEveryMs, pollsMax: Math.ceil(waitMs / pollEveryMs) };
  }

  /** Creates the response once. The signal that `create` gets aborts when the last waiter has left. */
  async run(request: IdempotentRequest, create: CreateResponse): Promise<IdempotentResult> {
    const { signal, fingerprint } = request;
    signal.throwIfAborted();
    const run = this.#join(scopeId(request));
    run.waiters += 1;
    try {
      const stored = await unlessAborted(run.stored, signal);
      if (stored !== undefined) {
        refuseConflict(stored, request);
        return { response: stored.response, replayed: true };
      }
      const isFirst = run.creation === undefined;
      run.creation ??= this.#startCreation(run, request, create);
      const { creation } = run;
      if (isFirst) request.onStarted?.(creation.outcome);
      if (creation.fingerprint === fingerprint) {
        const outcome = await unlessAborted(creation.outcome, signal);
        return isFirst ? outcome : { ...outcome, replayed: true };
      }
      // The other request only takes the key if it gets the lock. If it is refused itself, this one tries again.
      if (await unlessAborted(isFulfilled(creation.lock), signal)) refuseConflict(creation, request);
    } finally {
      run.waiters -= 1;
      this.#cancelUnlessAwaited(run);
    }
    return this.run(request, create);
  }

  /** The stored response with this id. Undefined if there is none, or no longer. */
  find(id: string): Promise<StoredEntry | undefined> {
    return this.#readStored(id);
  }

  /** The read is shared: a separate read could miss a response that is stored meanwhile. */
  #join(id: string): SharedRun {
    const inFlight = this.#runs.get(id);
    if (inFlight !== undefined) return inFlight;
    const run: SharedRun = {
      id,
      stored: this.#readStored(id),
      controller: new AbortController(),
      creation: undefined,
      isCreated: false,
      waiters: 0,
    };
    this.#runs.set(id, run);
    return run;
  }

  async #readStored(id: string): Promise<StoredEntry | undefined> {
    try {
      return await this.#source.store.read(id);
    } catch (failure) {
      throw toUnavailable(failure);
    }
  }

  #startCreation(run: SharedRun, request: IdempotentRequest, create: CreateResponse): Creation {
    const { fingerprint } = request;
    const lock = this.#acquireLock(run, request);
    const outcome = lock.then((acquired) => this.#respond(run, acquired, { fingerprint, create }));
    // Waiters get the rejection from their own await. Without any it must not count as unhandled.
    outcome.catch(() => undefined);
    return { fingerprint, lock, outcome };
  }

  async #acquireLock(run: SharedRun, request: IdempotentRequest): Promise<IdempotencyLock> {
    const { id, controller } = run;
    try {
      await this.#releasing.get(id);
      return await acquireLock(
        {
          id,
          fingerprint: request.fingerprint,
          refuseConflict: (other) => refuseConflict(other, request),
          signal: controller.signal,
        },
        this.#source,
      );
    } catch (failure) {
      this.#forget(run);
      throw failure;
    }
  }

  async #respond(
    run: SharedRun,
    lock: IdempotencyLock,
    creation: CreationRequest,
  ): Promise<IdempotentResult> {
    try {
      if (lock.kind === "stored") return { response: lock.entry.response, replayed: true };
      return { response: await this.#create(run, lock.lease, creation), replayed: false };
    } finally {
      this.#forget(run);
    }
  }

  async #create(
    run: SharedRun,
    lease: LockLease,
    { fingerprint, create }: CreationRequest,
  ): Promise<StoredResponse> {
    const { signal } = run.controller;
    try {
      signal.throwIfAborted();
      const response = await create(signal);
      // A response that arrives after the last waiter has left was paid for, so it is stored, unless a new run has
      // started.
      if ((this.#runs.get(run.id) ?? run) !== run) return response;
      run.isCreated = true;
      this.#runs.set(run.id, run);
      const isStored = await this.#store(run.id, { fingerprint, response });
      await this.#endLease(isStored ? lease.release() : lease.markLost());
      return response;
    } catch (failure) {
      // A cancelled creation is not a failure: a process that waits for the lock creates the response instead.
      if (!signal.aborted) await this.#endLease(lease.release(toGatewayError(failure)));
      throw failure;
    }
  }

  async #store(id: string, entry: StoredEntry): Promise<boolean> {
    const { store, onFailure } = this.#source;
    try {
      await store.write(id, entry);
      return true;
    } catch (failure) {
      onFailure(failure);
      return false;
    }
  }

  async #endLease(ending: Promise<void>): Promise<void> {
    try {
      await ending;
    } catch (failure) {
      this.#source.onFailure(failure);
    }
  }

  #cancelUnlessAwaited(run: SharedRun): void {
    if (run.waiters > 0 || run.isCreated) return;
    this.#forget(run);
    run.controller.abort(new Error("The last request that waited for this response has left."));
    if (run.creation !== undefined) this.#releaseLock(run.id, run.creation.lock);
  }

  /** Releases the lock of a cancelled creation, which may not have been acquired yet. */
  #releaseLock(id: string, lock: Promise<IdempotencyLock>): void {
    const released = lock.then(
      (acquired) => (acquired.kind === "acquired" ? this.#endLease(acquired.lease.release()) : undefined),
      () => undefined,
    );
    const releasing = Promise.all([this.#releasing.get(id), released]).then(() => {
      if (this.#releasing.get(id) === releasing) this.#releasing.delete(id);
    });
    this.#releasing.set(id, releasing);
  }

  #forget(run: SharedRun): void {
    if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
  }
}

function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

function toGatewayError(failure: unknown): GatewayError {
  if (failure instanceof GatewayError) return failure;
  return new GatewayError("internal_error", "The gateway failed while it created the response.", {
    cause: failure,
  });
}

/** The id of a response in the store. It is hashed because a caller's key may hold private text. */
export function scopeId({
  caller,
  operation,
  key,
}: Pick<IdempotentRequest, "caller" | "operation" | "key">): string {
  return hash("sha256", JSON.stringify([caller, operation, key]), "hex");
}

function refuseConflict({ fingerprint }: { readonly fingerprint: string }, request: IdempotentRequest): void {
  if (fingerprint === request.fingerprint) return;
  throw errorOf("idempotency_conflict", { key: request.key });
}
