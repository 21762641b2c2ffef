import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";

/** A right that one of all processes has at a time: to do a periodic duty, or to create a response. */
export interface NamedLease {
  readonly name: string;
  /** Unique for each process, or for each lease. */
  readonly holder: string;
}

/** Written by the holder. Times are milliseconds since 1970. */
interface LeaseTerms {
  /** The holder counts as dead from then on, unless it renews the lease before. */
  readonly until: number;
  /** Another may have it from then on. Default: at its end. */
  readonly freeAt?: number;
  /** For those that find the lease taken. */
  readonly note?: string;
}

interface FoundLease {
  readonly holder: string;
  readonly until: number;
  /** It is free, and its note is for those that waited for its holder. */
  readonly isReleased: boolean;
  readonly note: string | null;
}

/**
 * Leases by name, in a table that all replicas share. The lease of a process that died ends by itself. The clocks of
 * replicas may differ by less than the time that is left when a lease is renewed.
 */
export class Leases {
  readonly #kysely: Database["kysely"];
  readonly #now: () => number;

  constructor({ kysely }: Database, { now }: { readonly now: () => number }) {
    this.#kysely = kysely;
    this.#now = now;
  }

  /** One atomic statement: of all concurrent callers, one finds the lease free. Its holder gets it again. */
  async take({ name, holder }: NamedLease, { until, freeAt = until, note }: LeaseTerms): Promise<boolean> {
    const taken = await this.#kysely
      .insertInto("leases")
      .values({ name, holder, lease_until: until, free_at: freeAt, note: note ?? null })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet((is) => ({
            holder: is.ref("excluded.holder"),
            lease_until: is.ref("excluded.lease_until"),
            free_at: is.ref("excluded.free_at"),
            note: is.ref("excluded.note"),
          }))
          .where((is) => is.or([is("leases.free_at", "<=", this.#now()), is("leases.holder", "=", holder)])),
      )
      .returning("name")
      .executeTakeFirst();
    return taken !== undefined;
  }

  /** Does nothing for a lease that the holder has lost or released. */
  async renew(lease: NamedLease, { until, freeAt = until }: LeaseTerms): Promise<void> {
    await this.#update(lease, { lease_until: until, free_at: freeAt });
  }

  async release({ name, holder }: NamedLease): Promise<void> {
    await this.#kysely.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
  }

  /** Frees the lease, and leaves a note until a time for those that waited. */
  async releaseWith(
    lease: NamedLease,
    { until, note }: LeaseTerms & { readonly note: string },
  ): Promise<void> {
    await this.#update(lease, { lease_until: until, free_at: released, note });
  }

  async find(name: string): Promise<FoundLease | undefined> {
    const row = await this.#kysely
      .selectFrom("leases")
      .selectAll()
      .where("name", "=", name)
      .executeTakeFirst();
    return (
      row && {
        holder: row.holder,
        until: row.lease_until,
        isReleased: row.free_at === released,
        note: row.note,
      }
    );
  }

  /** Removes leases that have ended and are free. */
  async sweep(): Promise<void> {
    const now = this.#now();
    await this.#kysely
      .deleteFrom("leases")
      .where("lease_until", "<=", now)
      .where("free_at", "<=", now)
      .execute();
  }

  async #update({ name, holder }: NamedLease, columns: Partial<Tables["leases"]>): Promise<void> {
    await this.#kysely
      .updateTable("leases")
      .set(columns)
      .where("name", "=", name)
      .where("holder", "=", holder)
      .execute();
  }
}

/** The `free_at` of a lease that was released. */
const released = 0;
