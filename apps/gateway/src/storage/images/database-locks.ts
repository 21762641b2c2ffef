import { randomUUID } from "node:crypto";
import { every, type Repetition } from "../../domain/every.js";
import { GatewayError, isErrorCode } from "../../errors.js";
import type { HolderProgress, LockAttempt, LockLease } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { responseTtlMs } from "./stored-entry.js";

/**
 * The holder of a lock counts as dead after this time; a live process renews it several times before. The clocks of
 * replicas may differ by less than the time left at a renewal. The lock of a dead process is not free: it may have bought
 * the images.
 */
const leaseMs = 60_000;
const renewEveryMs = 15_000;
/** Long enough for every waiter to see the failure. */
const failureTtlMs = 60_000;

interface DatabaseLocksOptions {
  readonly now: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Locks on Idempotency-Keys, in a table that all replicas share. */
export class DatabaseLocks {
  readonly #kysely: Database["kysely"];
  readonly #options: DatabaseLocksOptions;
  readonly #renewals = new Set<Repetition>();

  constructor({ kysely }: Database, options: DatabaseLocksOptions) {
    this.#kysely = kysely;
    this.#options = options;
  }

  /** Takes the lock, or says who holds it, or that its holder died. */
  async acquire(id: string, fingerprint: string): Promise<Exclude<LockAttempt, { readonly kind: "stored" }>> {
    for (;;) {
      const lock = { id, fingerprint, holder: randomUUID() };
      if (await this.#insert(lock)) return { kind: "acquired", lease: this.#createLease(lock) };
      const theirs = await this.#find(id);
      // Released between the two statements, so try again.
      if (theirs === undefined) continue;
      if (theirs.failure === null && theirs.expires_at <= this.#options.now()) return { kind: "lost" };
      return {
        kind: "held",
        fingerprint: theirs.fingerprint,
        inspect: () => this.#inspect(id, theirs.holder),
      };
    }
  }

  /** Removes failures that every waiter has seen, and the locks of dead processes after a day. */
  async sweep(): Promise<void> {
    await this.#kysely
      .deleteFrom("response_locks")
      .where("expires_at", "<=", this.#options.now())
      .where((is) => is.or([is("failure", "is not", null), is("expires_at", "<=", this.#dayAgo())]))
      .execute();
  }

  /** Stops renewing. */
  close(): void {
    for (const renewal of this.#renewals) void renewal.stop();
    this.#renewals.clear();
  }

  /** One atomic statement: of all concurrent callers, one finds the lock free, failed or a day old. */
  async #insert(lock: Lock): Promise<boolean> {
    const inserted = await this.#kysely
      .insertInto("response_locks")
      .values({ ...lock, expires_at: this.#options.now() + leaseMs, failure: null })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet((is) => ({
            fingerprint: is.ref("excluded.fingerprint"),
            holder: is.ref("excluded.holder"),
            expires_at: is.ref("excluded.expires_at"),
            failure: null,
          }))
          .where((is) =>
            is.or([
              is("response_locks.expires_at", "<=", this.#dayAgo()),
              is("response_locks.failure", "is not", null),
            ]),
          ),
      )
      .returning("holder")
      .executeTakeFirst();
    return inserted !== undefined;
  }

  #createLease(lock: Lock): LockLease {
    const { now, onFailure } = this.#options;
    const renew = () => this.#update(lock, { expires_at: now() + leaseMs });
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
        await this.#release(lock, failure);
      },
      markLost: async () => {
        isReleased = true;
        stopRenewing();
        await this.#markLost(lock);
      },
    };
  }

  async #release(lock: Lock, failure?: GatewayError): Promise<void> {
    if (failure !== undefined) {
      const expires_at = this.#options.now() + failureTtlMs;
      return this.#update(lock, { failure: writeFailure(failure), expires_at });
    }
    await this.#kysely
      .deleteFrom("response_locks")
      .where("id", "=", lock.id)
      .where("holder", "=", lock.holder)
      .execute();
  }

  /** The row is there, unless it was released because all callers had left before the response came. */
  async #markLost(lock: Lock): Promise<void> {
    await this.#kysely
      .insertInto("response_locks")
      .values({ ...lock, expires_at: this.#options.now(), failure: null })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet((is) => ({ expires_at: is.ref("excluded.expires_at") }))
          .where("response_locks.holder", "=", lock.holder),
      )
      .execute();
  }

  async #inspect(id: string, holder: string): Promise<HolderProgress> {
    const row = await this.#find(id);
    if (row?.holder !== holder) return { kind: "over" };
    if (row.failure !== null) return { kind: "failed", failure: readFailure(row.failure) };
    return { kind: row.expires_at <= this.#options.now() ? "over" : "in flight" };
  }

  #find(id: string) {
    return this.#kysely.selectFrom("response_locks").selectAll().where("id", "=", id).executeTakeFirst();
  }

  async #update({ id, holder }: Lock, columns: Partial<Tables["response_locks"]>): Promise<void> {
    await this.#kysely
      .updateTable("response_locks")
      .set(columns)
      .where("id", "=", id)
      .where("holder", "=", holder)
      .execute();
  }

  #dayAgo(): number {
    return this.#options.now() - responseTtlMs;
  }
}

type Lock = Pick<Tables["response_locks"], "id" | "fingerprint" | "holder">;

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
