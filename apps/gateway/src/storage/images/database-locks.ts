import { randomUUID } from "node:crypto";
import { GatewayError, isErrorCode } from "../../errors.js";
import type { HolderProgress, LockAttempt, LockLease } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
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

export interface DatabaseLocks {
  /** Takes the lock, or says who holds it, or that its holder died. */
  acquire(id: string, fingerprint: string): Promise<Exclude<LockAttempt, { readonly kind: "stored" }>>;
  /** Removes failures that every waiter has seen, and the locks of dead processes after a day. */
  sweep(): Promise<void>;
  /** Stops renewing. */
  close(): void;
}

export interface DatabaseLocksOptions {
  readonly now: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Locks on Idempotency-Keys, in a table that all replicas share. */
export function createDatabaseLocks(
  { kysely }: Database,
  { now, onFailure }: DatabaseLocksOptions,
): DatabaseLocks {
  const timers = new Set<NodeJS.Timeout>();

  const dayAgo = () => now() - responseTtlMs;

  const find = (id: string) =>
    kysely.selectFrom("response_locks").selectAll().where("id", "=", id).executeTakeFirst();

  /** One atomic statement: of all concurrent callers, one finds the lock free, failed or a day old. */
  const insert = (id: string, fingerprint: string, holder: string) =>
    kysely
      .insertInto("response_locks")
      .values({ id, fingerprint, holder, expires_at: now() + leaseMs, failure: null })
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
              is("response_locks.expires_at", "<=", dayAgo()),
              is("response_locks.failure", "is not", null),
            ]),
          ),
      )
      .returning("holder")
      .executeTakeFirst();

  /** The row is there, unless it was released because all callers had left before the response came. */
  const markLost = async (id: string, fingerprint: string, holder: string) => {
    await kysely
      .insertInto("response_locks")
      .values({ id, fingerprint, holder, expires_at: now(), failure: null })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet((is) => ({ expires_at: is.ref("excluded.expires_at") }))
          .where("response_locks.holder", "=", holder),
      )
      .execute();
  };

  const createLease = (id: string, fingerprint: string, holder: string): LockLease => {
    const renew = () =>
      kysely
        .updateTable("response_locks")
        .set({ expires_at: now() + leaseMs })
        .where("id", "=", id)
        .where("holder", "=", holder)
        .execute();
    const timer = setInterval(() => void renew().catch(onFailure), renewEveryMs).unref();
    timers.add(timer);
    const stopRenewing = () => {
      clearInterval(timer);
      timers.delete(timer);
    };
    let isReleased = false;
    return {
      release: async (failure) => {
        if (isReleased) return;
        isReleased = true;
        stopRenewing();
        await release(id, holder, failure);
      },
      markLost: async () => {
        isReleased = true;
        stopRenewing();
        await markLost(id, fingerprint, holder);
      },
    };
  };

  const release = async (id: string, holder: string, failure?: GatewayError) => {
    if (failure === undefined) {
      await kysely.deleteFrom("response_locks").where("id", "=", id).where("holder", "=", holder).execute();
      return;
    }
    await kysely
      .updateTable("response_locks")
      .set({ failure: writeFailure(failure), expires_at: now() + failureTtlMs })
      .where("id", "=", id)
      .where("holder", "=", holder)
      .execute();
  };

  const inspect = async (id: string, holder: string): Promise<HolderProgress> => {
    const row = await find(id);
    if (row?.holder !== holder) return { kind: "over" };
    if (row.failure !== null) return { kind: "failed", failure: readFailure(row.failure) };
    return { kind: row.expires_at <= now() ? "over" : "in flight" };
  };

  return {
    acquire: async (id, fingerprint) => {
      for (;;) {
        const holder = randomUUID();
        if ((await insert(id, fingerprint, holder)) !== undefined)
          return { kind: "acquired", lease: createLease(id, fingerprint, holder) };
        const theirs = await find(id);
        // Released between the two statements, so try again.
        if (theirs === undefined) continue;
        if (theirs.failure === null && theirs.expires_at <= now()) return { kind: "lost" };
        return { kind: "held", fingerprint: theirs.fingerprint, inspect: () => inspect(id, theirs.holder) };
      }
    },
    sweep: async () => {
      await kysely
        .deleteFrom("response_locks")
        .where("expires_at", "<=", now())
        .where((is) => is.or([is("failure", "is not", null), is("expires_at", "<=", dayAgo())]))
        .execute();
    },
    close: () => {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
    },
  };
}

/** The failure for waiters in other processes: the caller's error, without the private cause. */
export function writeFailure({ code, message, param, retryAfterMs, headers }: GatewayError): string {
  return JSON.stringify({ code, message, param, retryAfterMs, headers });
}

export function readFailure(json: string): GatewayError {
  // Written by `writeFailure` alone, but maybe by another version of the gateway with other error codes.
  const { code, message, param, retryAfterMs, headers } = JSON.parse(json) as GatewayError;
  return new GatewayError(isErrorCode(code) ? code : "internal_error", message, {
    headers,
    param,
    retryAfterMs,
  });
}
