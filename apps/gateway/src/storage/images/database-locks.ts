import { randomUUID } from "node:crypto";
import { GatewayError, isErrorCode } from "@model-gateway/domain/errors";
import { every, type Repetition } from "@model-gateway/runtime/every";
import type { HolderProgress, LockAttempt, LockLease } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import { Leases, type NamedLease } from "../work/leases.js";
import { responseTtlMs } from "./stored-entry.js";

/** A live process renews its lock several times before this. The lock of a dead one is not free: it may have bought the images. */
const leaseMs = 60_000;
const renewEveryMs = 15_000;
/** Long enough for every waiter to see the failure. */
const failureTtlMs = 60_000;

interface DatabaseLocksOptions {
  readonly now: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Locks on Idempotency-Keys, for all replicas. The note of a lease is the fingerprint, and then the failure. */
export class DatabaseLocks {
  readonly #leases: Leases;
  readonly #options: DatabaseLocksOptions;
  readonly #renewals = new Set<Repetition>();

  constructor(database: Database, options: DatabaseLocksOptions) {
    this.#leases = new Leases(database, options);
    this.#options = options;
  }

  /** Takes the lock, or says who holds it, or that its holder died. */
  async acquire(id: string, fingerprint: string): Promise<Exclude<LockAttempt, { readonly kind: "stored" }>> {
    const name = `response ${id}`;
    for (;;) {
      const lease = { name, holder: randomUUID() };
      if (await this.#leases.take(lease, { ...this.#lockedFor(leaseMs), note: fingerprint }))
        return { kind: "acquired", lease: this.#createLease(lease, fingerprint) };
      const theirs = await this.#leases.find(name);
      // Released between the two statements, so try again.
      if (theirs === undefined || theirs.isReleased) continue;
      if (theirs.until <= this.#options.now()) return { kind: "lost" };
      return {
        kind: "held",
        fingerprint: theirs.note ?? "",
        inspect: () => this.#inspect({ name, holder: theirs.holder }),
      };
    }
  }

  /** Removes failures that every waiter has seen, and the locks of dead processes after a day. */
  sweep(): Promise<void> {
    return this.#leases.sweep();
  }

  /** Stops renewing. */
  close(): void {
    for (const renewal of this.#renewals) void renewal.stop();
    this.#renewals.clear();
  }

  #createLease(lease: NamedLease, fingerprint: string): LockLease {
    const { now, onFailure } = this.#options;
    const renew = () => this.#leases.renew(lease, this.#lockedFor(leaseMs));
    const renewal = every(renewEveryMs, renew, { task: "renew_response_lock", onFailure });
    this.#renewals.add(renewal);
    const stopRenewing = () => {
      void renewal.stop();
      this.#renewals.delete(renewal);
    };
    let isReleased = false;
    return {
      release: async (failure) => {
        if (isReleased) return;
        isReleased = true;
        stopRenewing();
        if (failure === undefined) return this.#leases.release(lease);
        const until = now() + failureTtlMs;
        await this.#leases.releaseWith(lease, { until, note: writeFailure(failure) });
      },
      markLost: async () => {
        isReleased = true;
        stopRenewing();
        // The lease is there, unless it was released because all callers had left before the response came.
        await this.#leases.take(lease, { ...this.#lockedFor(0), note: fingerprint });
      },
    };
  }

  #lockedFor(ms: number) {
    const until = this.#options.now() + ms;
    return { until, freeAt: until + responseTtlMs };
  }

  async #inspect({ name, holder }: NamedLease): Promise<HolderProgress> {
    const found = await this.#leases.find(name);
    if (found?.holder !== holder) return { kind: "over" };
    if (found.isReleased) return { kind: "failed", failure: readFailure(found.note ?? "") };
    return { kind: found.until <= this.#options.now() ? "over" : "in flight" };
  }
}

/** The failure for waiters in other processes: the caller's error, without the private cause. */
function writeFailure({ code, message, recorded, param, retryAfterMs, headers }: GatewayError): string {
  return JSON.stringify({ code, message, recorded, param, retryAfterMs, headers });
}

function readFailure(json: string): GatewayError {
  // Written by `writeFailure` alone, but maybe by another version of the gateway with other error codes.
  const { code, message, recorded, param, retryAfterMs, headers } = JSON.parse(json) as GatewayError;
  return new GatewayError(isErrorCode(code) ? code : "internal_error", message, {
    recorded,
    headers,
    param,
    retryAfterMs,
  });
}
