import { type AliasableExpression, type Kysely, sql } from "kysely";
import type { LedgerFilter } from "../usage/ledger-store.js";
import type { Tables, UsageTable } from "./database/tables.js";
import { refuseUnstorable, whereLedger } from "./ledger-filter.js";
import { dayMs, hourMs, usageSpans } from "./usage-spans.js";

/** What a table adds to the sums, with its time cut down to the hour or day. */
export type UsagePart = Omit<UsageTable, "operation">;

/** All that a filter asks for, each row of the ledger once. */
export function usageParts(
  kysely: Kysely<Tables>,
  filter: LedgerFilter,
  finest: "hour" | "day",
): AliasableExpression<UsagePart> {
  refuseUnstorable(filter);
  const stepMs = finest === "hour" ? hourMs : dayMs;
  // The sums do not know these two.
  if (filter.status !== undefined || filter.errorCode !== undefined) return rowsPart(kysely, filter, stepMs);
  const { rows, hours, days } = usageSpans(filter, finest);
  const [first, ...more] = [
    ...rows.map((span) => rowsPart(kysely, { ...filter, ...span }, stepMs)),
    ...hours.map((span) => sumsPart(kysely, { ...filter, ...span, table: "usage_hours" }, stepMs)),
    ...days.map((span) => sumsPart(kysely, { ...filter, ...span, table: "usage_days" }, stepMs)),
  ];
  // Where the time is over before it begins, no table is named, and no row fits.
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

type SumsFilter = LedgerFilter & { readonly table: "usage_hours" | "usage_days" };

function sumsPart(
  kysely: Kysely<Tables>,
  { table, from, to, keyId, model, operation }: SumsFilter,
  stepMs: number,
) {
  return kysely
    .selectFrom(table)
    .where((is) =>
      is.and([
        ...(from === undefined ? [] : [is("starts_at", ">=", from)]),
        ...(to === undefined ? [] : [is("starts_at", "<", to)]),
        ...(keyId === undefined ? [] : [is("key_id", "=", keyId)]),
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
