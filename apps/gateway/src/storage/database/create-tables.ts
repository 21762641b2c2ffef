import { type Kysely, type RawBuilder, sql } from "kysely";
import { durationBuckets } from "../../domain/duration-histogram.js";
import type { DatabaseKind } from "./tables.js";

type Statement = RawBuilder<unknown>;

/** The column types that SQLite and PostgreSQL name differently. */
export interface ColumnTypes {
  readonly text: Statement;
  readonly bytes: Statement;
}

export const columnTypes: Readonly<Record<DatabaseKind, ColumnTypes>> = {
  sqlite: { text: sql`text`, bytes: sql`blob` },
  // Byte order, as in SQLite: it is faster, and no update of the operating system can change it.
  postgres: { text: sql`text collate "C"`, bytes: sql`bytea` },
};

/** Creates all tables with their indexes. `tables.ts` describes them, with the columns that were added later. */
export async function createTables(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const types = columnTypes[kind];
  const statements = [
    ...createAccess(types),
    ...createLedger(types),
    ...ledgerIndexes.values(),
    ...createResponses(types),
    // Images are already compressed.
    ...(kind === "postgres"
      ? [sql`alter table stored_responses alter column content set storage external`]
      : []),
    ...createSpaces(types),
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** Why a request failed. Both databases add a column that may be null without reading the rows. */
export async function addFailure(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await sql`alter table ledger_rows add column failure ${columnTypes[kind].text}`.execute(kysely);
}

/** The earlier secrets of keys, and the index for a caller's failed requests. */
export async function addOldSecrets(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text, bytes } = columnTypes[kind];
  const statements = [
    sql`alter table access_keys add column old_secrets ${text}`,
    sql`create table old_secrets (digest ${bytes} primary key, key_id ${text} not null)`,
    sql`create index old_secrets_by_key on old_secrets (key_id)`,
    ...ledgerIndexes.values(),
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** The fate of images' content credentials. */
export async function addContentCredentials(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await sql`alter table ledger_rows add column content_credentials ${columnTypes[kind].text}`.execute(kysely);
}

/** The calls that failed in requests that succeeded. Both indexes begin empty: creating them reads the ledger once. */
export async function addFailedAttempts(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes[kind];
  const statements = [
    sql`alter table ledger_rows add column failed_attempts ${text}`,
    sql`alter table ledger_rows add column recovered_from ${text}`,
    sql`create index ledger_rows_by_recovery on ledger_rows (at, id) where recovered_from is not null`,
    sql`create index ledger_rows_by_recovered_from on ledger_rows (recovered_from, at, id)
      where recovered_from is not null`,
  ];
  for (const statement of statements) await statement.execute(kysely);
}

/** The last comparison of each model's targets. */
export async function addSpaceComparisons(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes[kind];
  await sql`create table space_comparisons (
    model ${text} primary key,
    compared_at bigint not null,
    result ${text} not null
  )`.execute(kysely);
}

/** The vectors of images, beside those of texts. */
export async function addImageVectors(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { bytes } = columnTypes[kind];
  const statements = [
    sql`alter table space_references add column image_vectors ${bytes}`,
    sql`alter table space_checks add column image_vectors ${bytes}`,
    sql`alter table space_checks add column image_cosine_min double precision`,
  ];
  for (const statement of statements) await statement.execute(kysely);
}

function createAccess({ text, bytes }: ColumnTypes): Statement[] {
  return [
    sql`create table settings (name ${text} primary key, value ${text} not null)`,
    sql`create table revisions (name ${text} primary key, value bigint not null)`,
    sql`insert into revisions (name, value) values ('access_keys', 0), ('stored_responses', 0)`,
    sql`create table access_keys (
      id ${text} primary key,
      revision bigint not null,
      digest ${bytes} not null unique,
      last_four ${text} not null,
      name ${text} not null,
      owner ${text},
      models ${text},
      limits ${text} not null,
      budget ${text},
      priority ${text} not null,
      expires_at bigint,
      is_disabled bigint not null,
      created_at bigint not null,
      revoked_at bigint,
      last_used_at bigint
    )`,
    sql`create index access_keys_by_revision on access_keys (revision)`,
    sql`create index access_keys_by_time on access_keys (created_at, id)`,
    sql`create table budget_alerts (
      id ${text} primary key,
      lease_until bigint not null,
      sent_at bigint,
      expires_at bigint not null
    )`,
    sql`create table sessions (
      id ${text} primary key,
      digest ${bytes} not null unique,
      kind ${text} not null,
      granted_by ${text} not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    sql`create index sessions_by_grant on sessions (granted_by, created_at, id)`,
    sql`create index sessions_by_expiry on sessions (expires_at)`,
  ];
}

function createLedger(types: ColumnTypes): Statement[] {
  const { text } = types;
  return [
    sql`create table ledger_rows (
      id ${text} primary key,
      at bigint not null,
      key_id ${text} not null,
      key_name ${text} not null,
      operation ${text} not null,
      model ${text},
      upstream ${text},
      attempts bigint not null,
      status bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      images bigint not null,
      cost_nanos bigint,
      ms double precision not null,
      request_bytes bigint not null,
      response_bytes bigint not null,
      cache ${text},
      error_code ${text},
      tokens_estimated bigint not null,
      cached_inputs bigint not null,
      saved_nanos bigint
    )`,
    ...["usage_hours", "usage_days"].flatMap((table) => createRollup(table, types)),
  ];
}

function createRollup(table: string, { text }: ColumnTypes): Statement[] {
  const buckets = Array.from({ length: durationBuckets }, (_, bucket) => sql.ref(`duration_${bucket}`));
  return [
    sql`create table ${sql.table(table)} (
      starts_at bigint not null,
      key_id ${text} not null,
      model ${text} not null,
      operation ${text} not null,
      upstream ${text} not null,
      key_name ${text} not null,
      requests bigint not null,
      failures bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      images bigint not null,
      cost_nanos bigint not null,
      unpriced bigint not null,
      cached_inputs bigint not null,
      saved_nanos bigint,
      ${sql.join(buckets.map((bucket) => sql`${bucket} bigint`))},
      primary key (starts_at, key_id, model, operation, upstream)
    )`,
    sql`create index ${sql.ref(`${table}_by_key`)} on ${sql.table(table)} (key_id, starts_at)`,
  ];
}

/** A duration filter reads the largest of these indexes that is not above it. */
export const indexedDurationsMs = [100, 1000, 10_000] as const;

/** One index for each filter of the list, in the list's order. The values create them. */
export const ledgerIndexes: ReadonlyMap<string, Statement> = new Map(
  (
    [
      ["time", sql`(at, id)`],
      ...["key_id", "model", "operation", "status"].map(columnIndex),
      // Partial: a fast request that succeeds and has no cache is in the index of its upstream alone.
      ...["error_code", "upstream", "cache"].map(sparseIndex),
      ["failure", sql`(at, id) where status >= 400`],
      ["key_failure", sql`(key_id, at, id) where status >= 400`],
      ...indexedDurationsMs.map(durationIndex),
    ] satisfies IndexOfLedger[]
  ).map(([name, definition]) => {
    const index = `ledger_rows_by_${name}`;
    return [index, sql`create index if not exists ${sql.ref(index)} on ledger_rows ${definition}`];
  }),
);

/** The end of the index's name, and the indexed columns. */
type IndexOfLedger = [name: string, definition: Statement];

function columnIndex(column: string): IndexOfLedger {
  return [column, sql`(${sql.ref(column)}, at, id)`];
}

function sparseIndex(column: string): IndexOfLedger {
  return [column, sql`(${sql.ref(column)}, at, id) where ${sql.ref(column)} is not null`];
}

function durationIndex(ms: number): IndexOfLedger {
  return [`duration_${ms}`, sql`(at, id) where ms >= ${sql.lit(ms)}`];
}

function createResponses({ text }: ColumnTypes): Statement[] {
  return [
    // The content is last, so that the others are read without it: it can hold tens of megabytes.
    sql`create table stored_responses (
      id ${text} primary key,
      written_at bigint not null,
      bytes bigint not null,
      content ${text} not null
    )`,
    sql`create index stored_responses_by_time on stored_responses (written_at, id, bytes)`,
    sql`create table response_locks (
      id ${text} primary key,
      fingerprint ${text} not null,
      holder ${text} not null,
      expires_at bigint not null,
      failure ${text}
    )`,
  ];
}

function createSpaces({ text, bytes }: ColumnTypes): Statement[] {
  return [
    sql`create table vector_spaces (id ${text} primary key, accepted integer not null)`,
    sql`create table space_references (
      space ${text} not null,
      input_type ${text} not null,
      texts_version integer not null,
      width integer not null,
      vectors ${bytes} not null,
      recorded_at bigint not null,
      primary key (space, input_type, texts_version)
    )`,
    sql`create table space_checks (
      space ${text} not null,
      upstream ${text} not null,
      model ${text} not null,
      lease_until bigint not null,
      checked_at bigint,
      input_type ${text} not null,
      texts_version integer not null,
      width integer,
      vectors ${bytes},
      cosine_min double precision,
      primary key (space, upstream, model)
    )`,
  ];
}
