import { type RawBuilder, sql } from "kysely";
import { type LeasedWork, leaseMs, type QueueState } from "../../work/leased-work.js";
import type { Database } from "../database/open-database.js";
import type { LeasedColumns } from "../database/schema/work-tables.js";

interface LeasedTableOptions {
  readonly table: "batches" | "batch_parts" | "webhook_deliveries";
  /** Rows with different values take turns. Absent: keys do. */
  readonly turnBy?: "key_id" | "webhook";
  readonly site: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Leases rows of a table, on either database. */
export class LeasedTable<Row extends LeasedColumns> implements LeasedWork<Row> {
  readonly #database: Database;
  readonly #table: RawBuilder<unknown>;
  readonly #turn: NonNullable<LeasedTableOptions["turnBy"]>;
  readonly #site: string;
  readonly #now: () => number;

  constructor(database: Database, { table, turnBy = "key_id", site, now }: LeasedTableOptions) {
    this.#database = database;
    this.#table = sql.table(table);
    this.#turn = turnBy;
    this.#site = site;
    this.#now = now;
  }

  /**
   * One statement. On PostgreSQL, rows that another replica claims at this moment are skipped. SQLite has one writer.
   * The keys are found by jumps through the index of queued rows: their number counts, and not that of the rows.
   */
  async claim(holder: string): Promise<Row | undefined> {
    const table = this.#table;
    const isQueued = (row: string) =>
      sql`${sql.ref(`${row}.state`)} = 'queued' and ${sql.ref(`${row}.site`)} = ${this.#site}`;
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
        attempts = attempts + 1
      where id = (
        select next.id from ${table} as next
        where ${isQueued("next")} and ${turnOf("next")} = (select turn from chosen)
        order by next.position, next.id limit 1 ${skipLocked}
      )
      returning *`.execute(this.#database.kysely);
    return rows[0];
  }

  async renew(ids: readonly string[], holder: string): Promise<void> {
    await sql`update ${this.#table} set lease_until = ${this.#now() + leaseMs}
      where id in (${sql.join(ids)}) and holder = ${holder} and state = 'running'`.execute(
      this.#database.kysely,
    );
  }

  /** Both parts read an index of few rows. */
  async inspect(): Promise<QueueState> {
    const { lookups } = this.#database;
    const exists = (condition: RawBuilder<unknown>) =>
      sql<boolean | number>`exists (select 1 from ${this.#table} where ${condition})`;
    const { hasQueued, hasAbandoned } = await lookups
      .selectNoFrom([
        exists(sql`state = 'queued' and site = ${this.#site}`).as("hasQueued"),
        exists(this.#isAbandoned()).as("hasAbandoned"),
      ])
      .executeTakeFirstOrThrow();
    // SQLite has no booleans.
    return { hasQueued: Boolean(hasQueued), hasAbandoned: Boolean(hasAbandoned) };
  }

  async recover(): Promise<number> {
    const { numAffectedRows } = await sql`update ${this.#table} set state = 'queued', holder = null
      where ${this.#isAbandoned()}`.execute(this.#database.kysely);
    return Number(numAffectedRows ?? 0);
  }

  #isAbandoned(): RawBuilder<unknown> {
    return sql`state in ('running', 'delayed') and lease_until <= ${this.#now()}`;
  }

  /** Ends all leases on SQLite: one process uses it, so one that held a lease before the start has died. */
  async endLeases(): Promise<void> {
    const { kind, kysely } = this.#database;
    if (kind !== "sqlite") return;
    await sql`update ${this.#table} set state = 'queued', holder = null where state = 'running'`.execute(
      kysely,
    );
  }
}
