import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type {
  KeyOwner,
  KeySpending,
  LedgerFilter,
  UsageGroup,
  UsageQuery,
} from "../../usage/ledger/ledger-store.js";
import { text } from "../database/define-table.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { isOfBatch, needsRows, refuseUnstorable, whereLedger, whereRollup } from "./filter.js";
import {
  columnList,
  durationColumns,
  groupRows,
  nullableSumColumns,
  rollupColumns,
  sumColumns,
} from "./group-rows.js";
import { readKeptSince } from "./retention-store.js";
import { jsonRows } from "./rows-json.js";
import { dayMs, hourMs, type Span, usageSpans } from "./usage-spans.js";

/** Sums the ledger by groups, from the hourly and daily rollups where possible. */
export async function sumUsage(
  database: Database,
  given: UsageQuery,
  groupsMax: number,
): Promise<readonly UsageGroup[]> {
  const { kysely } = database;
  const query = given.groupBy.includes("batch")
    ? { ...given, filter: { ...given.filter, isBatched: true as const } }
    : given;
  const rows = await usageStatement(database, query)
    .limit(groupsMax + 1)
    .execute();
  if (rows.length > groupsMax)
    throw new GatewayError(
      "invalid_value",
      `The result has more than ${groupsMax} groups. Choose a shorter time range or fewer groupings.`,
      { param: "from" },
    );
  // Afterwards: a deletion that this query may have seen was announced before it began.
  if (!isOfBatch(query.filter)) await refuseDeletedRows(kysely, query.filter, rowSpansOf(query.filter));
  return rows.map(toGroup);
}

function toGroup(row: UsageRow): UsageGroup {
  return {
    ...(row.starts_at !== undefined && { startsAt: row.starts_at }),
    ...(row.key_id !== undefined && { keyId: row.key_id }),
    ...(row.key_name !== undefined && { keyName: row.key_name }),
    ...(row.owner !== undefined && { owner: emptyToNull(row.owner) }),
    ...(row.model !== undefined && { model: emptyToNull(row.model) }),
    ...(row.operation !== undefined && { operation: row.operation }),
    ...(row.upstream !== undefined && { upstream: emptyToNull(row.upstream) }),
    ...(row.batch_id !== undefined && { batchId: row.batch_id }),
    requests: row.requests,
    failures: row.failures,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    images: row.images,
    costNanos: row.cost_nanos,
    unpriced: row.unpriced,
    cachedInputs: row.cached_inputs,
    savedNanos: row.cached_inputs === 0 ? 0 : row.saved_nanos,
    durations: durationColumns.map((column) => row[column] ?? 0),
  };
}

type UsageRow = Awaited<ReturnType<ReturnType<typeof usageStatement>["execute"]>>[number];

function emptyToNull(text: string): string | null {
  return text === "" ? null : text;
}

/** Parts of hours can be summed only from rows. If those may be deleted, the sum would be too low. */
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
  throw errorOf(
    "invalid_value",
    {
      param,
      reason: `requests before ${new Date(keptSince).toISOString()} are deleted, and only their sums by the hour are kept`,
    },
    { hint: "Use a full hour (UTC)." },
  );
}

/** The parts of a time range that are summed from rows. */
function rowSpansOf(filter: LedgerFilter): readonly Span[] {
  if (!needsRows(filter)) return usageSpans(filter, "hour").rows;
  const { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = filter;
  return [{ from, to }];
}

/** The known cost of each key's rows, how many rows have none, and the estimates for those. */
export async function sumCostByKey(
  kysely: Kysely<Tables>,
  filter: LedgerFilter,
): Promise<ReadonlyMap<string, KeySpending>> {
  const rows = await kysely
    .selectFrom(usageParts(kysely, filter, { finest: "day" }).as("part"))
    .select(["part.key_id", sum("cost_nanos"), sum("unpriced"), sum("estimated_nanos")])
    .groupBy("part.key_id")
    .execute();
  return new Map(
    rows.map(({ key_id, cost_nanos, unpriced, estimated_nanos }) => [
      key_id,
      { costNanos: cost_nanos, unpriced, estimatedNanos: estimated_nanos },
    ]),
  );
}

/** Exported for tests that check the query plan. */
export function usageStatement(database: Database, { groupBy, filter, fileOwners = [] }: UsageQuery) {
  const { kysely } = database;
  const finest = groupBy.includes("hour") ? "hour" : "day";
  const parts = usageParts(kysely, filter, { finest, byBatch: groupBy.includes("batch") });
  return kysely
    .selectFrom(parts.as("part"))
    .select(sumColumns.map(sum))
    .select(nullableSumColumns.map(sumOfNullable))
    .$if(groupBy.includes("hour") || groupBy.includes("day"), (query) =>
      query.select("starts_at").groupBy("starts_at").orderBy("starts_at"),
    )
    .$if(groupBy.includes("month"), (query) =>
      query
        .select(startOfMonth(database).as("starts_at"))
        .groupBy(startOfMonth(database))
        .orderBy("starts_at"),
    )
    .$if(groupBy.includes("key"), (query) =>
      query.select("part.key_id").select(nameOfKey()).groupBy("part.key_id").orderBy("part.key_id"),
    )
    .$if(groupBy.includes("owner"), (query) =>
      query
        .leftJoin(keyOwners(database, fileOwners), "owners.id", "part.key_id")
        .select(sql<string>`coalesce(owners.owner, '')`.as("owner"))
        .groupBy("owners.owner")
        .orderBy("owner"),
    )
    .$if(groupBy.includes("model"), (query) => query.select("model").groupBy("model").orderBy("model"))
    .$if(groupBy.includes("operation"), (query) =>
      query.select("operation").groupBy("operation").orderBy("operation"),
    )
    .$if(groupBy.includes("upstream"), (query) =>
      query.select("upstream").groupBy("upstream").orderBy("upstream"),
    )
    .$if(groupBy.includes("batch"), (query) =>
      query.select(sql<string>`part.batch_id`.as("batch_id")).groupBy(sql`part.batch_id`).orderBy("batch_id"),
    );
}

/** The start of the UTC month of a part, as `budgetPeriod` has it. */
function startOfMonth({ kind }: Database): RawBuilder<number> {
  if (kind === "postgres")
    return sql`cast(extract(epoch from date_trunc('month', to_timestamp(part.starts_at / 1000) at time zone 'UTC'))
      as bigint) * 1000`;
  return sql`cast(strftime('%s', part.starts_at / 1000, 'unixepoch', 'start of month') as integer) * 1000`;
}

/** The current owner of each key that has one. */
function keyOwners({ kind }: Database, fileOwners: readonly KeyOwner[]) {
  const given = jsonRows<KeyOwner>(kind, fileOwners, { id: text(), owner: text() });
  const byBytes = kind === "postgres" ? sql`collate "C"` : sql``;
  return sql<KeyOwner>`(select id, owner from access_keys where owner is not null
    union all select given.id ${byBytes}, given.owner ${byBytes} from ${given})`.as("owners");
}

/** The key's current name; configured keys have their last recorded name. */
function nameOfKey() {
  return sql<string>`coalesce(
    (select access_keys.name from access_keys where access_keys.id = part.key_id), max(part.key_name))`.as(
    "key_name",
  );
}

function sum<Column extends (typeof sumColumns)[number]>(column: Column) {
  return sql<number>`cast(coalesce(sum(${sql.ref(`part.${column}`)}), 0) as bigint)`.as(column);
}

function sumOfNullable<Column extends (typeof nullableSumColumns)[number]>(column: Column) {
  return sql<number | null>`cast(sum(${sql.ref(`part.${column}`)}) as bigint)`.as(column);
}

/** A union over the tables that covers each matching ledger row exactly once, with times rounded down to hour or day. */
function usageParts(
  kysely: Kysely<Tables>,
  filter: LedgerFilter,
  { finest, byBatch = false }: { readonly finest: "hour" | "day"; readonly byBatch?: boolean },
): RawBuilder<Tables["usage_hours"]> {
  refuseUnstorable(filter);
  const stepMs = finest === "hour" ? hourMs : dayMs;
  if (needsRows(filter))
    return sql`(${rowsPart(kysely, filter, { stepMs, more: byBatch ? ["batch_id"] : [] })})`;
  const { rows, hours, days } = usageSpans(filter, finest);
  const parts = [
    ...rows.map((span) => rowsPart(kysely, { ...filter, ...span }, { stepMs })),
    ...hours.map((span) => rollupPart(kysely, { ...filter, ...span, table: "usage_hours" }, stepMs)),
    ...days.map((span) => rollupPart(kysely, { ...filter, ...span, table: "usage_days" }, stepMs)),
  ];
  // An empty time range has no spans. This query matches no row.
  if (parts.length === 0) parts.push(rowsPart(kysely, filter, { stepMs }));
  return sql`(${sql.join(parts, sql` union all `)})`;
}

function rowsPart(
  kysely: Kysely<Tables>,
  filter: LedgerFilter,
  { stepMs, more }: { readonly stepMs: number; readonly more?: readonly "batch_id"[] },
): RawBuilder<unknown> {
  const rows = kysely.selectFrom("ledger_rows").selectAll().where(whereLedger(filter));
  return groupRows(sql`${rows} as matching`, stepMs, more);
}

type RollupFilter = LedgerFilter & { readonly table: "usage_hours" | "usage_days" };

function rollupPart(kysely: Kysely<Tables>, filter: RollupFilter, stepMs: number): RawBuilder<unknown> {
  const [, ...columns] = rollupColumns;
  const rows = kysely.selectFrom(filter.table).where(whereRollup(filter)).selectAll();
  return sql`select starts_at - starts_at % ${sql.lit(stepMs)} as starts_at, ${columnList(columns)}
    from ${rows} as matching`;
}
