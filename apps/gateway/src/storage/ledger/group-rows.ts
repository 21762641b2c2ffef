import { durationBuckets } from "@model-gateway/domain/duration-histogram";
import { type RawBuilder, sql } from "kysely";
import type { DurationColumn } from "../database/schema/ledger-tables.js";
import type { Tables } from "../database/schema/tables.js";

export const durationColumns = Array.from(
  { length: durationBuckets },
  (_, bucket): DurationColumn => `duration_${bucket}`,
);

/** Neither the gateway nor an upstream has failed. */
export const callerLeftStatus = 499;

/** The unique columns of a rollup. */
export const groupColumns = ["starts_at", "key_id", "model", "operation", "upstream"] as const;

export const sumColumns = [
  "requests",
  "failures",
  "input_tokens",
  "output_tokens",
  "images",
  "cost_nanos",
  "unpriced",
  "estimated_nanos",
  "cached_inputs",
] as const;

/** Sums of known values. Null where none is known. */
export const nullableSumColumns = ["saved_nanos", ...durationColumns] as const;

/** In the order of `groupRows`. */
export const rollupColumns = [...groupColumns, "key_name", ...sumColumns, ...nullableSumColumns] as const;

/**
 * Ledger rows as rows of a rollup. They are grouped by bucket first, so that the many columns of buckets are filled from
 * few groups and not from every row.
 *
 * @param rows A table of ledger rows.
 * @param more Columns to group by that no rollup has.
 */
export function groupRows(
  rows: RawBuilder<unknown>,
  stepMs: number,
  more: readonly "batch_id"[] = [],
): RawBuilder<Tables["usage_hours"]> {
  const groups = columnList([...groupColumns, ...more]);
  const sums = sql.join(
    [...sumColumns, "saved_nanos"].map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`),
  );
  const durations = sql.join(
    durationColumns.map(
      (column, bucket) =>
        sql`sum(case when bucket = ${sql.lit(bucket)} then requests end) as ${sql.ref(column)}`,
    ),
  );
  return sql<Tables["usage_hours"]>`select ${groups}, max(key_name) as key_name, ${sums}, ${durations}
    from (${countByBucket(rows, stepMs, more)}) as counted group by ${groups}`;
}

/** The inner names differ from the column names, which a grouping would otherwise mean. */
function countByBucket(
  rows: RawBuilder<unknown>,
  stepMs: number,
  more: readonly string[],
): RawBuilder<unknown> {
  const others = more.map((column) => sql`, ${sql.ref(column)}`);
  const besides = others.length === 0 ? sql`` : sql.join(others, sql``);
  return sql`select period as starts_at, key_id, model_or_none as model, operation, upstream_or_none as upstream, bucket${besides},
      max(key_name) as key_name, count(*) as requests, sum(failure) as failures, sum(input_tokens) as input_tokens,
      sum(output_tokens) as output_tokens, sum(images) as images, coalesce(sum(cost_nanos), 0) as cost_nanos,
      sum(case when cost_nanos is null then 1 else 0 end) as unpriced, sum(estimated_nanos) as estimated_nanos,
      sum(cached_inputs) as cached_inputs, sum(saved_nanos) as saved_nanos
    from (
      select at - at % ${sql.lit(stepMs)} as period, key_id, coalesce(model, '') as model_or_none, operation,
        coalesce(upstream, '') as upstream_or_none, ${bucketOfMs} as bucket, key_name,
        case when status >= 400 and status <> ${sql.lit(callerLeftStatus)} then 1 else 0 end as failure, input_tokens, output_tokens, images, cost_nanos,
        estimated_nanos, cached_inputs, case when cached_inputs > 0 then saved_nanos end as saved_nanos${besides}
      from ${rows}
    ) as dated
    group by period, key_id, model_or_none, operation, upstream_or_none, bucket${besides}`;
}

/** The histogram's `bucketOf`, in the SQL of both databases. */
const bucketOfMs = sql`case when ms <= 1 then 0 when ms > 1000000 then ${sql.lit(durationBuckets - 1)}
  else cast(ceil(10 * log10(ms)) as integer) end`;

export function columnList(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
