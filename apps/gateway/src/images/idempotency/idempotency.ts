/**
 * A request with an Idempotency-Key is carried out once; a repeated one gets the same response. Three layers do this:
 *
 * 1. Single-flight within the process. Requests of one caller and operation with the same key join one `SharedRun`.
 *    The first of them starts its `SharedCreation`, and the others wait for the outcome. When the last of them has left, a
 *    creation that has called no upstream yet is cancelled. One that has may be billed, so it goes on as an orphan, and
 *    its response is stored for the next request with the key.
 * 2. A lock across processes, in `lock.ts`. A creation starts by acquiring the `IdempotencyLock` of the key in the
 *    store that all replicas share. A `LockAttempt` acquires it, with a `LockLease` that keeps it alive; or it finds
 *    the response stored; or it finds the lock held by another process, whose `HolderProgress` is then polled.
 * 3. Stored responses for replays, in `response-store.ts`. A response is stored before it is sent. While it is stored,
 *    the same request gets it again, and a request with another fingerprint is refused with `idempotency_conflict`.
 *
 * A failure is not stored, so a client may retry with the same key. Nothing is bought in silence a second time: without a
 * lock the request is refused with `idempotency_unavailable` before the purchase. A lock whose holder died, a response
 * that could not be stored or was evicted, and a call that was cancelled after it was sent or failed without a caller to
 * say so to, are `idempotency_outcome_unknown` from then on, for a day.
 */
import { RequestCancelledError } from "@model-gateway/domain/call-context";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { type RequestScope, scopeId } from "@model-gateway/domain/scope-id";
import { unlessAborted } from "@model-gateway/runtime/abort";
import { SharedPool } from "@model-gateway/runtime/shared-pool";
import { isNothingBilled } from "../call-upstream.js";
import { acquireLock, type IdempotencyLock, type LockSource, toUnavailable } from "./lock.js";
import type { LockLease, ResponseStore, StoredEntry, StoredResponse } from "./response-store.js";

/** A request that carries an Idempotency-Key. */
export interface IdempotentRequest extends RequestScope {
  readonly operation: "createImage" | "createImageEdit";
  readonly fingerprint: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Called when this request starts the creation. Others may still wait for the outcome after its caller has left. */
  readonly onStarted?: (outcome: Promise<unknown>) => void;
}

/**
 * Creates a response. It resolves only once the whole response is there.
 *
 * @param onSent Called before an upstream is called: from here on something may be billed.
 */
export type CreateResponse = (signal: AbortSignal, onSent: () => void) => Promise<StoredResponse>;

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
  /** The maximum of creations that go on although all their callers have left. Each caller has a share. */
  readonly orphansMax?: number;
}

/** Their memory is that of their requests, which is bounded apart. */
const defaultOrphansMax = 64;

/** All requests in flight with one key: the store is read first, and on a miss the response is created. */
interface SharedRun {
  readonly id: string;
  readonly caller: string;
  readonly stored: Promise<StoredEntry | undefined>;
  readonly controller: AbortController;
  creation: SharedCreation | undefined;
  /** From here on an upstream may bill for it. */
  isSent: boolean;
  /** Whether it has a place among the orphans, which it keeps until its end. */
  isOrphan: boolean;
  isOver: boolean;
  /** From here on the response is paid for, so it is stored even when no waiter is left. */
  isCreated: boolean;
  waiters: number;
}

/** The creation of a response, on behalf of every waiter with the same fingerprint. */
interface SharedCreation {
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
  readonly #orphans: SharedPool;

  constructor(
    store: ResponseStore,
    { onFailure, pollEveryMs = 250, waitMs = 600_000, orphansMax = defaultOrphansMax }: IdempotencyOptions,
  ) {
    this.#source = { store, onFailure, pollEveryMs, pollsMax: Math.ceil(waitMs / pollEveryMs) };
    this.#orphans = new SharedPool(orphansMax);
  }

  /** Creates the response once. The signal that `create` gets aborts when the last waiter has left and it cannot go on. */
  async run(request: IdempotentRequest, create: CreateResponse): Promise<IdempotentResult> {
    const { signal, fingerprint } = request;
    signal.throwIfAborted();
    const run = this.#join(request);
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
      this.#endUnlessAwaited(run, signal);
    }
    return this.run(request, create);
  }

  /** The stored response with this id. Undefined if there is none, or no longer. */
  find(id: string): Promise<StoredEntry | undefined> {
    return this.#readStored(id);
  }

  /** The read is shared: a separate read could miss a response that is stored meanwhile. */
  #join(request: IdempotentRequest): SharedRun {
    const id = scopeId(request);
    const inFlight = this.#runs.get(id);
    if (inFlight !== undefined) return inFlight;
    const run: SharedRun = {
      id,
      caller: request.caller,
      stored: this.#readStored(id),
      controller: new AbortController(),
      creation: undefined,
      isSent: false,
      isOrphan: false,
      isOver: false,
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

  #startCreation(run: SharedRun, request: IdempotentRequest, create: CreateResponse): SharedCreation {
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
      this.#end(run);
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
      this.#end(run);
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
      const response = await create(signal, () => {
        run.isSent = true;
      });
      // A response that arrives after the last waiter has left was paid for, so it is stored, unless a new run has
      // started.
      if ((this.#runs.get(run.id) ?? run) !== run) return response;
      run.isCreated = true;
      this.#runs.set(run.id, run);
      const isStored = await this.#store(run.id, { fingerprint, response });
      await this.#endLease(isStored ? lease.release() : lease.markLost());
      return response;
    } catch (failure) {
      // The lock of a cancelled creation ends with its cancellation.
      if (!signal.aborted) await this.#endLease(this.#endFailed(run, lease, failure));
      throw failure;
    }
  }

  /** A failure frees the key, unless something may have been bought and no caller is there to learn it. */
  #endFailed({ waiters, isSent }: SharedRun, lease: LockLease, failure: unknown): Promise<void> {
    if (waiters === 0 && isSent && !isNothingBilled(failure)) return lease.markLost();
    return lease.release(toGatewayError(failure));
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

  #endUnlessAwaited(run: SharedRun, signal: AbortSignal): void {
    if (run.waiters > 0 || run.isCreated || run.isOver) return;
    const isCancelled = signal.aborted && signal.reason instanceof RequestCancelledError;
    if (run.isSent && !isCancelled && this.#becomeOrphan(run)) return;
    this.#end(run);
    run.controller.abort(new Error("The last request that waited for this response has left."));
    if (run.creation !== undefined) this.#releaseLock(run, run.creation.lock);
  }

  /** Returns false if there is no place for another orphan of its caller. */
  #becomeOrphan(run: SharedRun): boolean {
    run.isOrphan ||= this.#orphans.take(run.caller, 1);
    return run.isOrphan;
  }

  /** Releases the lock of a cancelled creation, which may not have been acquired yet. */
  #releaseLock({ id, isSent }: SharedRun, lock: Promise<IdempotencyLock>): void {
    const released = lock.then(
      (acquired) => {
        if (acquired.kind !== "acquired") return;
        return this.#endLease(isSent ? acquired.lease.markLost() : acquired.lease.release());
      },
      () => undefined,
    );
    const releasing = Promise.all([this.#releasing.get(id), released]).then(() => {
      if (this.#releasing.get(id) === releasing) this.#releasing.delete(id);
    });
    this.#releasing.set(id, releasing);
  }

  #end(run: SharedRun): void {
    if (run.isOrphan) this.#orphans.giveBack(run.caller, 1);
    run.isOrphan = false;
    run.isOver = true;
    this.#forget(run);
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

function refuseConflict({ fingerprint }: { readonly fingerprint: string }, request: IdempotentRequest): void {
  if (fingerprint === request.fingerprint) return;
  throw errorOf("idempotency_conflict", { key: request.key });
}
