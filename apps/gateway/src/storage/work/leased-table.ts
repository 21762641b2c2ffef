import { type RawBuilder, sql } from "kysely";
import { type LeasedWork, leaseMs } from "../../work/leased-work.js";
import type { Database } from "../database/open-database.js";
import type { LeasedColumns } from "../database/work-tables.js";

export interface LeasedTableOptions {
  readonly table: "batches" | "batch_parts";
  readonly site: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Leases rows of a table, on either database. */
export class LeasedTable<Row extends LeasedColumns> implements LeasedWork<Row> {
  readonly #database: Database;
  readonly #table: RawBuilder<unknown>;
  readonly #site: string;
  readonly #now: () => number;

  constructor(database: Database, { table, site, now }: LeasedTableOptions) {
    this.#database = database;
    this.#table = sql.table(table);
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
    const { rows } = await sql<Row>`
      with recursive waiting (key_id) as (
        select min(first.key_id) from ${table} as first where ${isQueued("first")}
        union all
        select (select min(other.key_id) from ${table} as other
          where ${isQueued("other")} and other.key_id > waiting.key_id)
        from waiting where waiting.key_id is not null
      ),
      busy (key_id, running) as (
        select key_id, count(*) from ${table}
        where state in ('running', 'delayed') and state = 'running' group by key_id
      ),
      chosen (key_id) as (
        select waiting.key_id from waiting left join busy on busy.key_id = waiting.key_id
        where waiting.key_id is not null
        order by coalesce(busy.running, 0), (
          select min(first.position) from ${table} as first
          where ${isQueued("first")} and first.key_id = waiting.key_id
        )
        limit 1
      )
      update ${table} set state = 'running', holder = ${holder}, lease_until = ${now + leaseMs},
        attempts = attempts + 1
      where id = (
        select next.id from ${table} as next where ${isQueued("next")} and next.key_id = (select key_id from chosen)
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

  /** Usually there is nothing to write, and a read disturbs nobody. */
  async recover(): Promise<number> {
    const { kysely } = this.#database;
    const abandoned = sql`state in ('running', 'delayed') and lease_until <= ${this.#now()}`;
    const found = await kysely
      .selectNoFrom(sql<number>`(select count(*) from ${this.#table} where ${abandoned})`.as("rows"))
      .executeTakeFirst();
    if ((found?.rows ?? 0) === 0) return 0;
    const { numAffectedRows } = await sql`update ${this.#table} set state = 'queued', holder = null
      where ${abandoned}`.execute(kysely);
    return Number(numAffectedRows ?? 0);
  }

  /** For a database that one process uses alone: a process that held a lease has died. */
  async recoverAll(): Promise<void> {
    await sql`update ${this.#table} set state = 'queued', holder = null where state = 'running'`.execute(
      this.#database.kysely,
    );
  }
}
