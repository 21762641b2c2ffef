import { type RawBuilder, type SqlBool, sql } from "kysely";
import { leaseMs, type PausableWork, type QueueState, type WorkItem } from "../../work/leased-work.js";
import type { Database } from "../database/open-database.js";
import type { LeasedColumns } from "../database/schema/work-tables.js";

interface LeasedTableOptions<Row, Item> {
  readonly table: "batches" | "batch_parts" | "jobs" | "webhook_deliveries";
  /** Rows with different values take turns. Absent: keys do. */
  readonly turnBy?: "key_id" | "webhook";
  /** Only rows of these sites are claimed. */
  readonly sites: readonly string[];
  readonly toItem: (row: Row) => Item;
  /** Changes that a claim makes besides the lease. */
  readonly onClaim?: (now: number) => RawBuilder<unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The site of a row that every process may claim. */
export const anySite = "any";

/** The lease of a new row, which comes after those with a lower position. */
export function newLease(position: number) {
  return { state: "queued", position, lease_until: 0, holder: null, attempts: 0 } as const;
}

/** The lease of a row that rests until a time. */
export function delayedUntil(until: number) {
  return { state: "delayed", lease_until: until, holder: null } as const;
}

/** Leases rows of a table, on either database. */
export class LeasedTable<Row extends LeasedColumns, Item extends WorkItem> implements PausableWork<Item> {
  readonly #database: Database;
  readonly #table: RawBuilder<unknown>;
  readonly #turn: string;
  readonly #sites: RawBuilder<unknown>;
  readonly #toItem: (row: Row) => Item;
  readonly #onClaim: (now: number) => RawBuilder<unknown>;
  readonly #now: () => number;

  constructor(database: Database, options: LeasedTableOptions<Row, Item>) {
    this.#database = database;
    this.#table = sql.table(options.table);
    this.#turn = options.turnBy ?? "key_id";
    this.#sites = sql`(${sql.join([...options.sites])})`;
    this.#toItem = options.toItem;
    this.#onClaim = options.onClaim ?? (() => sql``);
    this.#now = options.now;
  }

  /**
   * One statement. On PostgreSQL, rows that another replica claims at this moment are skipped. SQLite has one writer.
   * The keys are found by jumps through the index of queued rows: their number counts, and not that of the rows.
   */
  async claim(holder: string): Promise<Item | undefined> {
    const table = this.#table;
    const isQueued = (row: string) =>
      sql`${sql.ref(`${row}.state`)} = 'queued' and ${sql.ref(`${row}.site`)} in ${this.#sites}`;
    const now = this.#now();
    const skipLocked = this.#database.kind === "postgres" ? sql`for update skip locked` : sql``;
    const turnOf = (row: string) => sql.ref(`${row}.${this.#turn}`);
    const { rows } = await sql<Row>`
      with recursive waiting (turn) as (
        select min(${turnOf("first")}) from ${table} as first where ${isQueued("first")}
        union all
        select (select min(${turnOf("other")}) from ${table} as other
          where ${isQueued("other")} and ${turnOf("other")} > waiting.turn)
        from waiting where waiting.turn is not null
      ),
      busy (turn, running) as (
        select ${turnOf("one")}, count(*) from ${table} as one
        where state in ('running', 'delayed') and state = 'running' group by ${turnOf("one")}
      ),
      chosen (turn) as (
        select waiting.turn from waiting left join busy on busy.turn = waiting.turn
        where waiting.turn is not null
        order by coalesce(busy.running, 0), (
          select min(first.position) from ${table} as first
          where ${isQueued("first")} and ${turnOf("first")} = waiting.turn
        )
        limit 1
      )
      update ${table} set state = 'running', holder = ${holder}, lease_until = ${now + leaseMs},
        attempts = attempts + 1 ${this.#onClaim(now)}
      where id = (
        select next.id from ${table} as next
        where ${isQueued("next")} and ${turnOf("next")} = (select turn from chosen)
        order by next.position, next.id limit 1 ${skipLocked}
      )
      returning *`.execute(this.#database.kysely);
    return rows[0] && this.#toItem(rows[0]);
  }

  async renew(ids: readonly string[], holder: string): Promise<void> {
    await sql`update ${this.#table} set lease_until = ${this.#now() + leaseMs}
      where id in (${sql.join(ids)}) and holder = ${holder} and state = 'running'`.execute(
      this.#database.kysely,
    );
  }

  async delay(id: string, holder: string, until: number): Promise<void> {
    await this.#rest({ id, holder, until }, 0);
  }

  async putBack(id: string, holder: string, until: number): Promise<void> {
    await this.#rest({ id, holder, until }, 1);
  }

  async #rest({ id, holder, until }: RestingRow, uncounted: number): Promise<void> {
    await sql`update ${this.#table} set state = 'delayed', lease_until = ${until}, holder = null,
      attempts = attempts - ${uncounted}
      where id = ${id} and holder = ${holder} and state = 'running'`.execute(this.#database.kysely);
  }

  /** Both parts read an index of few rows. */
  async inspect(): Promise<QueueState> {
    const { lookups } = this.#database;
    const exists = (condition: RawBuilder<unknown>) =>
      sql<boolean | number>`exists (select 1 from ${this.#table} where ${condition})`;
    const { hasQueued, hasAbandoned } = await lookups
      .selectNoFrom([
        exists(sql`state = 'queued' and site in ${this.#sites}`).as("hasQueued"),
        exists(this.isAbandoned()).as("hasAbandoned"),
      ])
      .executeTakeFirstOrThrow();
    // SQLite has no booleans.
    return { hasQueued: Boolean(hasQueued), hasAbandoned: Boolean(hasAbandoned) };
  }

  async recover(): Promise<number> {
    const { numAffectedRows } = await sql`update ${this.#table} set state = 'queued', holder = null
      where ${this.isAbandoned()}`.execute(this.#database.kysely);
    return Number(numAffectedRows ?? 0);
  }

  /** A row whose lease or whose pause has ended. */
  isAbandoned(): RawBuilder<SqlBool> {
    return sql<SqlBool>`state in ('running', 'delayed') and lease_until <= ${this.#now()}`;
  }

  /** Ends all leases on SQLite: one process uses it, so one that held a lease before the start has died. */
  async endLeases(): Promise<void> {
    const { kind, kysely } = this.#database;
    if (kind !== "sqlite") return;
    await sql`update ${this.#table} set lease_until = 0 where state = 'running'`.execute(kysely);
  }
}

interface RestingRow {
  readonly id: string;
  readonly holder: string;
  readonly until: number;
}
