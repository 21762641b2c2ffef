import { type Kysely, sql } from "kysely";
import { GatewayError } from "../errors.js";
import type { UsageGroup, UsageQuery } from "../usage/ledger-store.js";
import type { Tables } from "./database/tables.js";
import { type UsagePart, usageParts } from "./usage-parts.js";

/** Sums the ledger up by groups, from the sums of hours and days wherever they can answer. */
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
      `There are more than ${groupsMax} groups. Ask for a shorter time, or for fewer groupings.`,
      { param: "from" },
    );
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

/** The statement alone, so that a test can ask the database how it would be carried out. */
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

/** The name that the key has now; one of the configuration keeps the one it had. */
function nameOfKey() {
  return sql<string>`coalesce(
    (select access_keys.name from access_keys where access_keys.id = part.key_id), max(part.key_name))`.as(
    "key_name",
  );
}

function sum<Column extends keyof UsagePart>(column: Column) {
  return sql<number>`cast(coalesce(sum(${sql.ref(`part.${column}`)}), 0) as bigint)`.as(column);
}
