import { type InsertQueryBuilder, type InsertResult, type Kysely, type QueryCreator, sql } from "kysely";
import type { LedgerRow } from "../usage/ledger-row.js";
import type { Database } from "./database/open-database.js";
import type { LedgerRowTable, Tables } from "./database/tables.js";
import { jsonRows } from "./json-rows.js";
import { toStorable } from "./storable-text.js";
import { dayMs, hourMs } from "./usage-spans.js";

const columnTypes = {
  id: "text",
  at: "bigint",
  key_id: "text",
  key_name: "text",
  operation: "text",
  model: "text",
  upstream: "text",
  attempts: "bigint",
  status: "bigint",
  input_tokens: "bigint",
  output_tokens: "bigint",
  images: "bigint",
  cost_nanos: "bigint",
  ms: "double precision",
  request_bytes: "bigint",
  response_bytes: "bigint",
  cache: "text",
  error_code: "text",
} as const;
const columns = Object.keys(columnTypes) as (keyof LedgerRowTable)[];
const textLengthMax = 256;

type WithFresh = Tables & { readonly fresh: LedgerRowTable };

/** Adds the rows that are not there yet, and adds those and no others to the sums of their hour and day: all or nothing. */
export async function addLedgerRows({ kysely, kind }: Database, rows: readonly LedgerRow[]): Promise<void> {
  if (kind === "postgres") await addInOneStatement(kysely, rows);
  else await kysely.transaction().execute((transaction) => addInTurn(transaction, rows));
}

/** One round trip. The sums are taken from what was truly inserted, so that replicas may add the same rows at once. */
async function addInOneStatement(kysely: Kysely<Tables>, rows: readonly LedgerRow[]): Promise<void> {
  const given = jsonRows("postgres", rows.map(toColumns), columnTypes);
  await kysely
    .with("fresh", (query) =>
      query
        .insertInto("ledger_rows")
        .columns(columns)
        // In one order for all replicas, so that no two of them wait for each other.
        .expression(query.selectFrom(given).select(columns).orderBy("id"))
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning(columns),
    )
    .with("hours", (query) => insertSums(query, "usage_hours"))
    .with("days", (query) => insertSums(query, "usage_days"))
    .selectNoFrom(sql.lit(1).as("done"))
    .execute();
}

/** SQLite can not insert inside a query; it has one writer at a time, so that what is not there yet stays so. */
async function addInTurn(transaction: Kysely<Tables>, rows: readonly LedgerRow[]): Promise<void> {
  const distinct = [...new Map(rows.toReversed().map((row) => [row.id, row])).values()];
  const given = jsonRows("sqlite", distinct.map(toColumns), columnTypes);
  const fresh = transaction.with("fresh", (query) =>
    query
      .selectFrom(given)
      .select(columns)
      .where((is) =>
        is.not(
          is.exists(is.selectFrom("ledger_rows").select("id").whereRef("ledger_rows.id", "=", "given.id")),
        ),
      ),
  );
  await insertSums(fresh, "usage_hours").execute();
  await insertSums(fresh, "usage_days").execute();
  await fresh
    .insertInto("ledger_rows")
    .columns(columns)
    .expression((is) => is.selectFrom("fresh").select(columns))
    .execute();
}

function insertSums(
  query: QueryCreator<WithFresh>,
  table: "usage_hours" | "usage_days",
): InsertQueryBuilder<WithFresh, typeof table, InsertResult> {
  const stepMs = sql.lit(table === "usage_hours" ? hourMs : dayMs);
  return query
    .insertInto(table)
    .columns([
      "starts_at",
      "key_id",
      "model",
      "operation",
      "key_name",
      "requests",
      "failures",
      "input_tokens",
      "output_tokens",
      "images",
      "cost_nanos",
      "unpriced",
    ])
    .expression((is) =>
      is
        .selectFrom("fresh")
        .select([
          sql<number>`at - at % ${stepMs}`.as("starts_at"),
          "key_id",
          sql<string>`coalesce(model, '')`.as("model_or_none"),
          "operation",
          sql<string>`max(key_name)`.as("key_name"),
          sql<number>`count(*)`.as("requests"),
          sql<number>`sum(case when status >= 400 then 1 else 0 end)`.as("failures"),
          sql<number>`sum(input_tokens)`.as("input_tokens"),
          sql<number>`sum(output_tokens)`.as("output_tokens"),
          sql<number>`sum(images)`.as("images"),
          sql<number>`coalesce(sum(cost_nanos), 0)`.as("cost_nanos"),
          sql<number>`sum(case when cost_nanos is null then 1 else 0 end)`.as("unpriced"),
        ])
        .groupBy(["starts_at", "key_id", "model_or_none", "operation"])
        .orderBy("starts_at")
        .orderBy("key_id")
        .orderBy("model_or_none")
        .orderBy("operation"),
    )
    .onConflict((conflict) =>
      conflict.columns(["starts_at", "key_id", "model", "operation"]).doUpdateSet((is) => ({
        key_name: is.ref("excluded.key_name"),
        requests: sum("requests"),
        failures: sum("failures"),
        input_tokens: sum("input_tokens"),
        output_tokens: sum("output_tokens"),
        images: sum("images"),
        cost_nanos: sum("cost_nanos"),
        unpriced: sum("unpriced"),
      })),
    );

  function sum(column: string) {
    return sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  }
}

/** The ledger must not stand still for one strange letter, long name or broken number: what can not be stored is mended. */
function toColumns(row: LedgerRow): LedgerRowTable {
  return {
    id: text(row.id),
    at: whole(row.at),
    key_id: text(row.keyId),
    key_name: text(row.keyName),
    operation: row.operation,
    model: row.model === null ? null : text(row.model),
    upstream: row.upstream === null ? null : text(row.upstream),
    attempts: whole(row.attempts),
    status: whole(row.status),
    input_tokens: whole(row.inputTokens),
    output_tokens: whole(row.outputTokens),
    images: whole(row.images),
    cost_nanos: row.costNanos === null ? null : whole(row.costNanos),
    ms: Number.isFinite(row.ms) ? row.ms : 0,
    request_bytes: whole(row.requestBytes),
    response_bytes: whole(row.responseBytes),
    cache: row.cache,
    error_code: row.errorCode === null ? null : text(row.errorCode),
  };
}

function text(value: string): string {
  return toStorable(value, textLengthMax);
}

function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}
