import { type AliasableExpression, type Kysely, sql } from "kysely";
import { GatewayError } from "../../errors.js";
import type { LedgerFilter, UsageGroup, UsageQuery } from "../../usage/ledger/ledger-store.js";
import type { Tables, UsageTable } from "../database/tables.js";
import { refuseUnstorable, whereLedger } from "./filter.js";
import { readKeptSince } from "./retention-store.js";
import { dayMs, hourMs, type Span, usageSpans } from "./usage-spans.js";

/** Sums the ledger by groups, from the hourly and daily rollups where possible. */
export async function sumUsage(
  kysely: Kysely<Tables>,
  query: UsageQuery,
  groupsMax: number,
): Promise<readonly UsageGroup[]> {
  const rows = await usageStatement(kysely, query)
    .limit(groupsMax + 1)
    .execute();
  if (rows.length > groupsMax)
    throw new GatewayError(
      "invalid_value",
      `The result has more than ${groupsMax} groups. Choose a shorter time range or fewer groupings.`,
      { param: "from" },
    );
  // Afterwards: a deletion that this query may have seen was announced before it began.
  await refuseDeletedRows(kysely, query.filter, rowSpansOf(query.filter));
  return rows.map((row) => ({
    ...(row.starts_at !== undefined && { startsAt: row.starts_at }),
    ...(row.key_id !== undefined && { keyId: row.key_id }),
    ...(row.key_name !== undefined && { keyName: row.key_name }),
    ...(row.model !== undefined && { model: row.model === "" ? null : row.model }),
    requests: row.requests,
    failures: row.failures,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    images: row.images,
    costNanos: row.cost_nanos,
    unpriced: row.unpriced,
  }));
}

/** Parts of hours can be summed only from rows. Where those may be deleted, the sum would be too low. */
async function refuseDeletedRows(
  kysely: Kysely<Tables>,
  { from }: LedgerFilter,
  spans: readonly Span[],
): Promise<void> {
  if (spans.length === 0) return;
  const keptSince = await readKeptSince(kysely);
  if (keptSince === undefined) return;
  const first = spans.find((span) => span.from < keptSince);
  if (first === undefined) return;
  const param = first.from === from ? "from" : "to";
  throw new GatewayError(
    "invalid_value",
    `Invalid '${param}': requests before ${new Date(keptSince).toISOString()} are deleted, and only their sums by the hour are kept. Use a full hour (UTC).`,
    { param },
  );
}

/** The parts of a time range that are summed from rows. The rollups have neither status nor error code. */
function rowSpansOf(filter: LedgerFilter): readonly Span[] {
  if (filter.status === undefined && filter.errorCode === undefined) return usageSpans(filter, "hour").rows;
  const { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = filter;
  return [{ from, to }];
}

/** The known cost of the rows of each key. */
export async function sumCostByKey(
  kysely: Kysely<Tables>,
  filter: LedgerFilter,
): Promise<ReadonlyMap<string, number>> {
  const rows = await kysely
    .selectFrom(usageParts(kysely, filter, "day").as("part"))
    .select(["part.key_id", sum("cost_nanos")])
    .groupBy("part.key_id")
    .execute();
  return new Map(rows.map((row) => [row.key_id, row.cost_nanos]));
}

/** Exported for tests that check the query plan. */
export function usageStatement(kysely: Kysely<Tables>, { groupBy, filter }: UsageQuery) {
  const parts = usageParts(kysely, filter, groupBy.includes("hour") ? "hour" : "day");
  return kysely
    .selectFrom(parts.as("part"))
    .select([
      sum("requests"),
      sum("failures"),
      sum("input_tokens"),
      sum("output_tokens"),
      sum("images"),
      sum("cost_nanos"),
      sum("unpriced"),
    ])
    .$if(groupBy.includes("hour") || groupBy.includes("day"), (query) =>
      query.select("starts_at").groupBy("starts_at").orderBy("starts_at"),
    )
    .$if(groupBy.includes("key"), (query) =>
      query.select("key_id").select(nameOfKey()).groupBy("key_id").orderBy("key_id"),
    )
    .$if(groupBy.includes("model"), (query) => query.select("model").groupBy("model").orderBy("model"));
}

/** The current name of the key; keys of the configuration have their last recorded name. */
function nameOfKey() {
  return sql<string>`coalesce(
    (select access_keys.name from access_keys where access_keys.id = part.key_id), max(part.key_name))`.as(
    "key_name",
  );
}

function sum<Column extends keyof UsagePart>(column: Column) {
  return sql<number>`cast(coalesce(sum(${sql.ref(`part.${column}`)}), 0) as bigint)`.as(column);
}

/** The rows that one table contributes, with times rounded down to the hour or day. */
export type UsagePart = Omit<UsageTable, "operation">;

/** A union over the tables that covers each matching ledger row exactly once. */
export function usageParts(
  kysely: Kysely<Tables>,
  filter: LedgerFilter,
  finest: "hour" | "day",
): AliasableExpression<UsagePart> {
  refuseUnstorable(filter);
  const stepMs = finest === "hour" ? hourMs : dayMs;
  // The rollups have neither column.
  if (filter.status !== undefined || filter.errorCode !== undefined) return rowsPart(kysely, filter, stepMs);
  const { rows, hours, days } = usageSpans(filter, finest);
  const [first, ...more] = [
    ...rows.map((span) => rowsPart(kysely, { ...filter, ...span }, stepMs)),
    ...hours.map((span) => rollupPart(kysely, { ...filter, ...span, table: "usage_hours" }, stepMs)),
    ...days.map((span) => rollupPart(kysely, { ...filter, ...span, table: "usage_days" }, stepMs)),
  ];
  // An empty time range has no spans. This query matches no row.
  if (first === undefined) return rowsPart(kysely, filter, stepMs);
  return more.reduce((all, part) => all.unionAll(part), first);
}

function rowsPart(kysely: Kysely<Tables>, filter: LedgerFilter, stepMs: number) {
  return kysely
    .selectFrom("ledger_rows")
    .where(whereLedger(filter))
    .select([
      sql<number>`at - at % ${sql.lit(stepMs)}`.as("starts_at"),
      "key_id",
      sql<string>`coalesce(model, '')`.as("model"),
      "key_name",
      sql<number>`1`.as("requests"),
      sql<number>`case when status >= 400 then 1 else 0 end`.as("failures"),
      "input_tokens",
      "output_tokens",
      "images",
      sql<number>`coalesce(cost_nanos, 0)`.as("cost_nanos"),
      sql<number>`case when cost_nanos is null then 1 else 0 end`.as("unpriced"),
    ]);
}

type RollupFilter = LedgerFilter & { readonly table: "usage_hours" | "usage_days" };

function rollupPart(
  kysely: Kysely<Tables>,
  { table, from, to, keyId, keyIds, model, operation }: RollupFilter,
  stepMs: number,
) {
  return kysely
    .selectFrom(table)
    .where((is) =>
      is.and([
        ...(from === undefined ? [] : [is("starts_at", ">=", from)]),
        ...(to === undefined ? [] : [is("starts_at", "<", to)]),
        ...(keyId === undefined ? [] : [is("key_id", "=", keyId)]),
        ...(keyIds === undefined ? [] : [is("key_id", "in", keyIds)]),
        ...(model === undefined ? [] : [is("model", "=", model)]),
        ...(operation === undefined ? [] : [is("operation", "=", operation)]),
      ]),
    )
    .select([
      sql<number>`starts_at - starts_at % ${sql.lit(stepMs)}`.as("starts_at"),
      "key_id",
      "model",
      "key_name",
      "requests",
      "failures",
      "input_tokens",
      "output_tokens",
      "images",
      "cost_nanos",
      "unpriced",
    ]);
}
