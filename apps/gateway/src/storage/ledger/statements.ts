import {
  type CompiledQuery,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  sql,
} from "kysely";
import type { LedgerRowTable, Tables } from "../database/tables.js";
import { jsonRows } from "./rows-json.js";
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

/** `fresh` holds the new rows: a CTE on PostgreSQL, a temporary table on SQLite. */
type WithFresh = Tables & { readonly fresh: LedgerRowTable };

/** One round trip. The rollups count only inserted rows, so replicas may add the same rows concurrently. */
export function addInOneStatement(kysely: Kysely<Tables>): CompiledQuery {
  const given = jsonRows<LedgerRowTable>("postgres", [], columnTypes);
  return kysely
    .with("fresh", (query) =>
      query
        .insertInto("ledger_rows")
        .columns(columns)
        // All replicas insert in the same order, so they cannot deadlock.
        .expression(query.selectFrom(given).select(columns).orderBy("id"))
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning(columns),
    )
    .with("hours", (query) => insertRollups(query, "usage_hours"))
    .with("days", (query) => insertRollups(query, "usage_days"))
    .selectNoFrom(sql.lit(1).as("done"))
    .compile();
}

export interface TransactionStatements {
  readonly before: readonly CompiledQuery[];
  /** Takes the rows as its parameter. */
  readonly insertion: CompiledQuery;
  readonly after: readonly CompiledQuery[];
}

/**
 * For one transaction. SQLite cannot insert inside a query, so the new rows go through a temporary table. SQLite has one
 * writer at a time, so no other transaction can add them meanwhile.
 */
export function addInTransaction(kysely: Kysely<Tables>): TransactionStatements {
  const given = jsonRows<LedgerRowTable>("sqlite", [], columnTypes);
  const tables = kysely.withTables<{ readonly fresh: LedgerRowTable }>();
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const isStored = tables
    .selectFrom("ledger_rows")
    .select("ledger_rows.id")
    .where("ledger_rows.id", "=", sql.ref<string>("given.id"));
  return {
    before: [sql`create temp table if not exists fresh (${names}, unique (id))`.compile(tables)],
    insertion: tables
      .insertInto("fresh")
      .columns(columns)
      .expression((is) =>
        is
          .selectFrom(given)
          .select(columns)
          .where(({ not, exists }) => not(exists(isStored))),
      )
      .onConflict((conflict) => conflict.column("id").doNothing())
      .compile(),
    after: [
      insertRollups(tables, "usage_hours").compile(),
      insertRollups(tables, "usage_days").compile(),
      tables
        .insertInto("ledger_rows")
        .columns(columns)
        .expression((is) => is.selectFrom("fresh").select(columns))
        .compile(),
      tables.deleteFrom("fresh").compile(),
    ],
  };
}

function insertRollups(
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
