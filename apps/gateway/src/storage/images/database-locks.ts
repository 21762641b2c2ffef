import { randomUUID } from "node:crypto";
import { GatewayError, isErrorCode } from "../../errors.js";
import type { HolderProgress, LockLease } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";

/**
 * The lease of a process that died is free after this; a process that lives renews it several times in between. Clocks
 * of replicas may differ by less than what is left of it at a renewal.
 */
const leaseMs = 60_000;
const renewEveryMs = 15_000;
/** Long enough for everyone who waits to have looked. */
const failureTtlMs = 60_000;

export interface DatabaseLocks {
  /** Ours, or whose it is. */
  take(id: string, fingerprint: string): Promise<OwnLock | HeldLock>;
  /** Removes what nobody holds any more. */
  sweep(): Promise<void>;
  /** Renews no more. */
  close(): void;
}

export interface OwnLock {
  readonly lease: LockLease;
}

export interface HeldLock {
  readonly fingerprint: string;
  look(): Promise<HolderProgress>;
}

export interface DatabaseLocksOptions {
  readonly now: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Who makes which answer, in a table that all replicas share. */
export function createDatabaseLocks(
  { kysely }: Database,
  { now, onFailure }: DatabaseLocksOptions,
): DatabaseLocks {
  const timers = new Set<NodeJS.Timeout>();

  const find = (id: string) =>
    kysely.selectFrom("answer_claims").selectAll().where("id", "=", id).executeTakeFirst();

  /** One statement: of all who try at once, one finds the place free, expired or failed. */
  const insert = (id: string, fingerprint: string, holder: string) =>
    kysely
      .insertInto("answer_claims")
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
            is.or([is("answer_claims.expires_at", "<=", now()), is("answer_claims.failure", "is not", null)]),
          ),
      )
      .returning("holder")
      .executeTakeFirst();

  const createLease = (id: string, holder: string): LockLease => {
    const renew = () =>
      kysely
        .updateTable("answer_claims")
        .set({ expires_at: now() + leaseMs })
        .where("id", "=", id)
        .where("holder", "=", holder)
        .execute();
    const timer = setInterval(() => void renew().catch(onFailure), renewEveryMs).unref();
    timers.add(timer);
    let isReleased = false;
    return {
      release: async (failure) => {
        if (isReleased) return;
        isReleased = true;
        clearInterval(timer);
        timers.delete(timer);
        await end(id, holder, failure);
      },
    };
  };

  const end = async (id: string, holder: string, failure?: GatewayError) => {
    if (failure === undefined) {
      await kysely.deleteFrom("answer_claims").where("id", "=", id).where("holder", "=", holder).execute();
      return;
    }
    await kysely
      .updateTable("answer_claims")
      .set({ failure: writeFailure(failure), expires_at: now() + failureTtlMs })
      .where("id", "=", id)
      .where("holder", "=", holder)
      .execute();
  };

  const look = async (id: string, holder: string): Promise<HolderProgress> => {
    const row = await find(id);
    if (row?.holder !== holder) return { kind: "over" };
    if (row.failure !== null) return { kind: "failed", failure: readFailure(row.failure) };
    return { kind: row.expires_at <= now() ? "over" : "under way" };
  };

  return {
    take: async (id, fingerprint) => {
      for (;;) {
        const holder = randomUUID();
        if ((await insert(id, fingerprint, holder)) !== undefined) return { lease: createLease(id, holder) };
        const theirs = await find(id);
        // Gone between the two statements: it is free now.
        if (theirs === undefined) continue;
        return { fingerprint: theirs.fingerprint, look: () => look(id, theirs.holder) };
      }
    },
    sweep: async () => {
      await kysely.deleteFrom("answer_claims").where("expires_at", "<=", now()).execute();
    },
    close: () => {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
    },
  };
}

/** A failure as those who wait in another process may know it: what its caller was told, without the cause. */
export function writeFailure({ code, message, param, retryAfterMs, headers }: GatewayError): string {
  return JSON.stringify({ code, message, param, retryAfterMs, headers });
}

export function readFailure(json: string): GatewayError {
  // Only `writeFailure` makes these texts; the code alone may be one that another version of the gateway knows.
  const { code, message, param, retryAfterMs, headers } = JSON.parse(json) as GatewayError;
  return new GatewayError(isErrorCode(code) ? code : "internal_error", message, {
    headers,
    ...(param !== null && { param }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
