import { hash } from "node:crypto";
import { GatewayError } from "../../errors.js";
import { unlessAborted } from "../../runtime/abort.js";
import { acquireLock, type IdempotencyLock, type LockSource } from "./lock.js";
import type { LockLease, ResponseStore, StoredEntry, StoredResponse } from "./response-store.js";

/** A request that carries an Idempotency-Key. */
export interface IdempotentRequest {
  readonly caller: string;
  readonly operation: "createImage" | "createImageEdit";
  readonly key: string;
  readonly fingerprint: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Told when this request is the one that has the response made: others may wait for it when its caller has left. */
  readonly onStarted?: (outcome: Promise<unknown>) => void;
}

/** Makes an response; it resolves only when the whole response is there. */
export type CreateResponse = (signal: AbortSignal) => Promise<StoredResponse>;

export interface Idempotency {
  /** Makes the response once. `create` gets a signal that aborts when the last of those who wait has left. */
  run(
    request: IdempotentRequest,
    create: CreateResponse,
  ): Promise<{ readonly response: StoredResponse; readonly replayed: boolean }>;
}

export interface IdempotencyOptions {
  /** Told when the store fails: the request goes on, but its response may not be found again. */
  readonly onFailure: (failure: unknown) => void;
  /** How often one looks whether another process has made the response. */
  readonly lookEveryMs?: number;
  /** How long one waits for another process. */
  readonly waitMs?: number;
}

/** Requests of one caller and operation with the same key are answered with one response, now and while it is stored. */
export function createIdempotency(store: ResponseStore, options: IdempotencyOptions): Idempotency {
  return new SharedRuns(store, options);
}

/** One scope while somebody waits: what is stored is looked up first, and when nothing is, the response is made. */
interface SharedRun {
  readonly id: string;
  readonly stored: Promise<StoredEntry | undefined>;
  readonly controller: AbortController;
  creation: Creation | undefined;
  /** From here on it is paid for, and is written even when nobody waits. */
  isCreated: boolean;
  waiters: number;
}

interface Creation {
  readonly fingerprint: string;
  /** Rejects where the response will not be made, as when another process makes another one. */
  readonly lock: Promise<IdempotencyLock>;
  readonly outcome: Promise<IdempotentResult>;
}

interface IdempotentResult {
  readonly response: StoredResponse;
  readonly replayed: boolean;
}

class SharedRuns implements Idempotency {
  readonly #source: LockSource;
  readonly #running = new Map<string, SharedRun>();
  /** Rights that are being given back. Who comes next waits, so as not to take them for another process's. */
  readonly #releasing = new Map<string, Promise<unknown>>();

  constructor(store: ResponseStore, { onFailure, lookEveryMs = 250, waitMs = 600_000 }: IdempotencyOptions) {
    this.#source = { store, onFailure, lookEveryMs, looksMax: Math.ceil(waitMs / lookEveryMs) };
  }

  async run(request: IdempotentRequest, create: CreateResponse): Promise<IdempotentResult> {
    const { signal, fingerprint } = request;
    signal.throwIfAborted();
    const run = this.#join(scopeId(request));
    run.waiters += 1;
    try {
      const stored = await unlessAborted(run.stored, signal);
      if (stored !== undefined) {
        refuseOther(stored, request);
        return { response: stored.response, replayed: true };
      }
      const isFirst = run.creation === undefined;
      run.creation ??= this.#begin(run, request, create);
      const { creation } = run;
      if (isFirst) request.onStarted?.(creation.outcome);
      if (creation.fingerprint === fingerprint) {
        const outcome = await unlessAborted(creation.outcome, signal);
        return isFirst ? outcome : { ...outcome, replayed: true };
      }
      // The other came first only if it will be made. Else it is refused itself, and is in nobody's way.
      if (await unlessAborted(isFulfilled(creation.lock), signal)) refuseOther(creation, request);
    } finally {
      run.waiters -= 1;
      this.#release(run);
    }
    return this.run(request, create);
  }

  /** The lookup is shared as well, so that nobody can miss an response that is stored while they look. */
  #join(id: string): SharedRun {
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const run: SharedRun = {
      id,
      stored: this.#lookUp(id),
      controller: new AbortController(),
      creation: undefined,
      isCreated: false,
      waiters: 0,
    };
    this.#running.set(id, run);
    return run;
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

  #begin(run: SharedRun, request: IdempotentRequest, create: CreateResponse): Creation {
    const { fingerprint } = request;
    const lock = this.#lock(run, request);
    const outcome = lock.then((lock) => this.#respond(run, { lock, fingerprint, create }));
    // Whoever waits hears of a failure; where all have left, nobody need.
    outcome.catch(() => undefined);
    return { fingerprint, lock, outcome };
  }

  async #lock(run: SharedRun, request: IdempotentRequest): Promise<IdempotencyLock> {
    const { id, controller } = run;
    try {
      await this.#releasing.get(id);
      return await acquireLock(
        {
          id,
          fingerprint: request.fingerprint,
          refuseOther: (other) => refuseOther(other, request),
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
    { lock, ...how }: CreationRequest & { lock: IdempotencyLock },
  ): Promise<IdempotentResult> {
    try {
      if (lock.kind === "stored") return { response: lock.entry.response, replayed: true };
      return { response: await this.#create(run, lock.lease, how), replayed: false };
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
      // An response that came although everyone had left is paid for too, unless somebody has begun anew since.
      if ((this.#running.get(run.id) ?? run) !== run) return response;
      run.isCreated = true;
      this.#running.set(run.id, run);
      await this.#store(run.id, { fingerprint, response });
      await this.#unlock(lease);
      return response;
    } catch (failure) {
      // What was given up is no failure: whoever waits in another process makes it then.
      if (!signal.aborted) await this.#unlock(lease, toGatewayError(failure));
      throw failure;
    }
  }

  async #store(id: string, entry: StoredEntry): Promise<void> {
    const { store, onFailure } = this.#source;
    try {
      await store.write(id, entry);
    } catch (failure) {
      onFailure(failure);
    }
  }

  async #unlock(lease: LockLease, failure?: GatewayError): Promise<void> {
    try {
      await lease.release(failure);
    } catch (unreleased) {
      this.#source.onFailure(unreleased);
    }
  }

  #release(run: SharedRun): void {
    if (run.waiters > 0 || run.isCreated) return;
    this.#forget(run);
    run.controller.abort(new Error("Nobody waits for this response any more."));
    if (run.creation !== undefined) this.#abandon(run.id, run.creation.lock);
  }

  /** The lock may still be on its way. */
  #abandon(id: string, lock: Promise<IdempotencyLock>): void {
    const given = lock.then(
      (lock) => (lock.kind === "mine" ? this.#unlock(lock.lease) : undefined),
      () => undefined,
    );
    const releasing = Promise.all([this.#releasing.get(id), given]).then(() => {
      if (this.#releasing.get(id) === releasing) this.#releasing.delete(id);
    });
    this.#releasing.set(id, releasing);
  }

  #forget(run: SharedRun): void {
    if (this.#running.get(run.id) === run) this.#running.delete(run.id);
  }
}

interface CreationRequest {
  readonly fingerprint: string;
  readonly create: CreateResponse;
}

function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

function toGatewayError(failure: unknown): GatewayError {
  if (failure instanceof GatewayError) return failure;
  return new GatewayError("internal_error", "The gateway failed while it made the response.", {
    cause: failure,
  });
}

/** Names the response in the store. The key is the caller's own and may say what nobody else should read. */
function scopeId({ caller, operation, key }: IdempotentRequest): string {
  return hash("sha256", JSON.stringify([caller, operation, key]), "hex");
}

function refuseOther({ fingerprint }: { readonly fingerprint: string }, request: IdempotentRequest): void {
  if (fingerprint === request.fingerprint) return;
  throw new GatewayError(
    "idempotency_conflict",
    `The Idempotency-Key '${request.key}' was used with another request.`,
  );
}
