import { type Kysely, type RawBuilder, sql } from "kysely";
import { type ColumnTypes, columnTypes } from "./create-tables.js";
import type { DatabaseKind } from "./tables.js";

/** Files of callers, and the row that makes replicas take turns when they add one. */
export async function addFiles(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes[kind];
  const statements = [
    sql`create table files (
      id ${text} primary key,
      key_id ${text} not null,
      purpose ${text} not null,
      filename ${text} not null,
      bytes bigint not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    sql`create index files_by_key on files (key_id, id)`,
    sql`create index files_by_expiry on files (expires_at)`,
    sql`insert into revisions (name, value) values ('files', 0)`,
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** Jobs. The request is last, so that the other columns are read without it. */
export async function addJobs(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes[kind];
  const statements = [
    sql`create table jobs (
      id ${text} primary key,
      key_id ${text} not null,
      operation ${text} not null,
      model ${text} not null,
      status ${text} not null,
      request_id ${text} not null,
      scope ${text} not null unique,
      fingerprint ${text} not null,
      created_at bigint not null,
      started_at bigint,
      ended_at bigint,
      expires_at bigint not null,
      available_at bigint not null,
      holder ${text},
      lease_until bigint,
      is_cancelled integer not null,
      input_bytes bigint not null,
      failure ${text},
      request ${text} not null
    )`,
    sql`create index jobs_by_key on jobs (key_id, created_at, id)`,
    sql`create index jobs_by_time on jobs (created_at, id)`,
    sql`create index jobs_by_status on jobs (status, created_at, id)`,
    sql`create index jobs_by_expiry on jobs (expires_at)`,
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** Partial images of jobs. Images are already compressed. */
export async function addJobProgress(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes[kind];
  await sql`create table job_progress (job_id ${text} primary key, content ${text} not null)`.execute(kysely);
  if (kind === "postgres")
    await sql`alter table job_progress alter column content set storage external`.execute(kysely);
}

/** The owner that the key of a record had when it was created. */
export async function addOwners(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const order = { jobs: sql`created_at, id`, batches: sql`created_at, id`, files: sql`id` };
  for (const [table, columns] of Object.entries(order)) {
    await sql`alter table ${sql.table(table)} add column owner ${columnTypes[kind].text}`.execute(kysely);
    await sql`create index ${sql.ref(`${table}_by_owner`)} on ${sql.table(table)} (owner, ${columns})
      where owner is not null`.execute(kysely);
  }
}

/** Batches and their parts, and the ledger's column for the batch of a request. */
export async function addBatches(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const types = columnTypes[kind];
  const statements = [
    sql`alter table ledger_rows add column batch_id ${types.text}`,
    sql`create index ledger_rows_by_batch on ledger_rows (batch_id, at, id) where batch_id is not null`,
    ...createBatches(types),
    ...createParts(types),
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** Where the bytes of a file are, and where a job must run. Rows that exist are bound to no place. */
export async function addSites(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  for (const table of ["files", "jobs"])
    await sql`alter table ${sql.table(table)} add column site ${columnTypes[kind].text}`.execute(kysely);
}

/** The image job that ran a request. */
export async function addRequestJobs(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const statements = [
    sql`alter table ledger_rows add column job_id ${columnTypes[kind].text}`,
    sql`create index ledger_rows_by_job on ledger_rows (job_id, at, id) where job_id is not null`,
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** A rollup of the ledger by batch: a batch may have fifty thousand rows, and a list of batches is read often. */
export async function addBatchCosts(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes[kind];
  const statements = [
    sql`create table batch_costs (
      batch_id ${text} primary key,
      requests bigint not null,
      cost_nanos bigint not null,
      unpriced bigint not null
    )`,
    sql`insert into batch_costs (batch_id, requests, cost_nanos, unpriced)
      ${sumByBatch(sql`ledger_rows`)}`,
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/**
 * The rows of `batch_costs` for ledger rows, in their order: replicas that add to the same rows cannot deadlock.
 *
 * @param rows A table of ledger rows.
 */
export function sumByBatch(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select batch_id, count(*), coalesce(sum(cost_nanos), 0), sum(case when cost_nanos is null then 1 else 0 end)
    from ${rows} where batch_id is not null group by batch_id order by batch_id`;
}

function createBatches(types: ColumnTypes): RawBuilder<unknown>[] {
  const { text } = types;
  return [
    sql`create table batches (
      ${leasedColumns(types)},
      key_id ${text} not null,
      key_name ${text} not null,
      status ${text} not null,
      outcome ${text},
      endpoint ${text} not null,
      model ${text},
      input_file_id ${text} not null,
      output_file_id ${text},
      error_file_id ${text},
      origin ${text} not null,
      metadata ${text},
      output_ttl_ms bigint,
      created_at bigint not null,
      expires_at bigint not null,
      in_progress_at bigint,
      finalizing_at bigint,
      cancelling_at bigint,
      ended_at bigint,
      total bigint not null,
      completed bigint not null,
      failed bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      parts bigint not null,
      parts_done bigint not null,
      faults ${text}
    )`,
    ...leasedIndexes("batches"),
    sql`create index batches_by_time on batches (created_at, id)`,
    sql`create index batches_by_key on batches (key_id, created_at, id)`,
    sql`create index batches_by_expiry on batches (expires_at) where outcome is null`,
    sql`create index batches_by_end on batches (ended_at) where ended_at is not null`,
  ];
}

function createParts(types: ColumnTypes): RawBuilder<unknown>[] {
  const { text } = types;
  return [
    sql`create table batch_parts (
      ${leasedColumns(types)},
      key_id ${text} not null,
      batch_id ${text} not null,
      number bigint not null,
      starts_at bigint not null,
      ends_at bigint not null,
      first_line bigint not null,
      lines bigint not null,
      pending ${text},
      segments ${text} not null
    )`,
    ...leasedIndexes("batch_parts"),
    sql`create unique index batch_parts_by_batch on batch_parts (batch_id, number)`,
  ];
}

/** Events on their way to webhooks. */
export async function addDeliveries(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const types = columnTypes[kind];
  const { text } = types;
  const statements = [
    sql`create table webhook_deliveries (
      ${leasedColumns(types)},
      webhook ${text} not null,
      message_id ${text} not null,
      type ${text} not null,
      body ${text} not null,
      created_at bigint not null
    )`,
    ...leasedIndexes("webhook_deliveries", "webhook"),
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** The columns of `LeasedColumns`. */
function leasedColumns({ text }: ColumnTypes): RawBuilder<unknown> {
  return sql`id ${text} primary key,
    site ${text} not null,
    state ${text} not null,
    position bigint not null,
    lease_until bigint not null,
    holder ${text},
    attempts bigint not null`;
}

/** Queued rows by whose turn it is, and the few rows under a lease. */
function leasedIndexes(table: string, turnBy: "key_id" | "webhook" = "key_id"): RawBuilder<unknown>[] {
  const index = (name: string) => sql.ref(`${table}_${name}`);
  const turn = sql.ref(turnBy);
  return [
    sql`create index ${index("queued")} on ${sql.table(table)} (site, ${turn}, position, id)
      where state = 'queued'`,
    sql`create index ${index("leased")} on ${sql.table(table)} (${turn}, lease_until)
      where state in ('running', 'delayed')`,
  ];
}
