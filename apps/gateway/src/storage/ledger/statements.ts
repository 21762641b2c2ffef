import {
  type CompiledQuery,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  sql,
} from "kysely";
import { nullable, text } from "../database/define-table.js";
import { type Tables, tables } from "../database/schema/tables.js";
import {
  columnList,
  groupColumns,
  groupRows,
  nullableSumColumns,
  rollupColumns,
  sumColumns,
} from "./group-rows.js";
import { type GivenRow, jsonRows } from "./rows-json.js";
import { dayMs, hourMs } from "./usage-spans.js";

const { columns: definitions } = tables.ledger_rows;
const columns = Object.keys(definitions) as (keyof Tables["ledger_rows"])[];
const givenColumns = { ...definitions, requested_model: nullable(text()) };

/**
 * The values of the columns. A request for a model that was removed counts under that model: its rows show that there
 * was one. Any other id is a caller's invention and is not counted. The look into the index is for such requests only.
 */
const values = columns.map((column) =>
  column === "model"
    ? sql<string | null>`coalesce(given.model, (
        select known.model from ledger_rows as known where known.model = given.requested_model limit 1
      ))`.as("model")
    : column,
);

/** `fresh` holds the new rows: a CTE on PostgreSQL, a temporary table on SQLite. */
type WithFresh = Tables & { readonly fresh: Tables["ledger_rows"] };

/**
 * One round trip. The rollups count only inserted rows, so replicas may add the same rows concurrently.
 *
 * @param hasLines Whether rows are lines of batches. Most often none is, and then a table less is written.
 */
export function addInOneStatement(
  kysely: Kysely<Tables>,
  { hasLines }: { readonly hasLines: boolean },
): CompiledQuery {
  const given = jsonRows<GivenRow>("postgres", [], givenColumns);
  const rollups = kysely
    .with("fresh", (query) =>
      query
        .insertInto("ledger_rows")
        .columns(columns)
        // All replicas insert in the same order, so they cannot deadlock.
        .expression(query.selectFrom(given).select(values).orderBy("id"))
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning(columns),
    )
    .with("hours", (query) => insertRollups(query, "usage_hours"))
    .with("days", (query) => insertRollups(query, "usage_days"));
  const all = hasLines ? rollups.with("lines", (query) => insertBatchCosts(query)) : rollups;
  return all.selectNoFrom(sql.lit(1).as("done")).compile();
}

interface TransactionStatements {
  readonly before: readonly CompiledQuery[];
  /** Takes the rows as its parameter. */
  readonly insertion: CompiledQuery;
  readonly after: readonly CompiledQuery[];
  /** Goes before `after`, if rows are lines of batches. */
  readonly batchCosts: CompiledQuery;
}

/**
 * For one transaction. SQLite cannot insert inside a query, so the new rows go through a temporary table. SQLite has one
 * writer at a time, so no other transaction can add them meanwhile.
 */
export function addInTransaction(kysely: Kysely<Tables>): TransactionStatements {
  const given = jsonRows<GivenRow>("sqlite", [], givenColumns);
  const tables = kysely.withTables<{ readonly fresh: Tables["ledger_rows"] }>();
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
          .select(values)
          .where(({ not, exists }) => not(exists(isStored))),
      )
      .onConflict((conflict) => conflict.column("id").doNothing())
      .compile(),
    batchCosts: insertBatchCosts(tables).compile(),
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

/** Adds the fresh rows to a rollup. All replicas do so in the same order, so they cannot deadlock. */
function insertRollups(
  query: QueryCreator<WithFresh>,
  table: "usage_hours" | "usage_days",
): InsertQueryBuilder<WithFresh, typeof table, InsertResult> {
  const grouped = groupRows(sql`fresh`, table === "usage_hours" ? hourMs : dayMs);
  return query
    .insertInto(table)
    .columns(rollupColumns)
    .expression(sql`${grouped} order by ${columnList(groupColumns)}`)
    .onConflict((conflict) =>
      conflict.columns(groupColumns).doUpdateSet((is) => ({
        key_name: is.ref("excluded.key_name"),
        ...Object.fromEntries(sumColumns.map((column) => [column, sum(column)])),
        ...Object.fromEntries(nullableSumColumns.map((column) => [column, sumOfNullable(column)])),
      })),
    );

  function sum(column: string) {
    return sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  }

  function sumOfNullable(column: string) {
    const [stored, added] = [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)];
    return sql<number>`coalesce(${stored} + ${added}, ${stored}, ${added})`;
  }
}

/** Adds the fresh lines to the costs of their batches. */
function insertBatchCosts(
  query: QueryCreator<WithFresh>,
): InsertQueryBuilder<WithFresh, "batch_costs", InsertResult> {
  const added = (column: string) =>
    sql<number>`${sql.ref(`batch_costs.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  return query
    .insertInto("batch_costs")
    .columns(["batch_id", "requests", "cost_nanos", "unpriced"])
    .expression(sumByBatch(sql`fresh`))
    .onConflict((conflict) =>
      conflict.column("batch_id").doUpdateSet({
        requests: added("requests"),
        cost_nanos: added("cost_nanos"),
        unpriced: added("unpriced"),
      }),
    );
}

/** The rows of `batch_costs` for ledger rows, in their order: replicas that add to the same rows cannot deadlock. */
function sumByBatch(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select batch_id, count(*), coalesce(sum(cost_nanos), 0), sum(case when cost_nanos is null then 1 else 0 end)
    from ${rows} where batch_id is not null group by batch_id order by batch_id`;
}
