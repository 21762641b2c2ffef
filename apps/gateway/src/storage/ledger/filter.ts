import { errorOf } from "@model-gateway/domain/errors";
import { internalKeyIds } from "@model-gateway/domain/internal-keys";
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { LedgerFilter, OwnerFilter } from "../../usage/ledger/ledger-store.js";
import { isStorable } from "../database/cursor.js";
import { indexedDurationsMs } from "../database/schema/ledger-tables.js";
import type { Tables } from "../database/schema/tables.js";
import { callerLeftStatus } from "./group-rows.js";

/** The filter as a condition on ledger rows. */
export function whereLedger(filter: LedgerFilter) {
  refuseUnstorable(filter);
  const { status, errorCode, cache } = filter;
  return (is: ExpressionBuilder<Tables, "ledger_rows">): Expression<SqlBool> =>
    is.and([
      ...whereGrouped(filter, "at"),
      ...whereEqual({ status, error_code: errorCode, cache }),
      ...whereModel(filter),
      ...whereFailed(filter),
      ...whereRecovered(filter),
      ...whereBatch(filter),
      ...whereEqual({ job_id: filter.jobId }),
      ...whereSlow(filter),
    ]);
}

/** The filter as a condition on the rows of a rollup. */
export function whereRollup(filter: LedgerFilter) {
  return (is: ExpressionBuilder<Tables, "usage_hours" | "usage_days">): Expression<SqlBool> =>
    is.and(whereGrouped(filter, "starts_at"));
}

/** The conditions on the time, and on what rollups are grouped by. */
function whereGrouped(filter: LedgerFilter, time: "at" | "starts_at"): Expression<SqlBool>[] {
  const { from, to, keyId, keyIds, owner, isInternal, model, operation, upstream } = filter;
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`${sql.ref(time)} >= ${from}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${sql.ref(time)} < ${to}`]),
    ...(keyIds === undefined ? [] : [sql<SqlBool>`key_id in (${sql.join(keyIds)})`]),
    ...(owner === undefined ? [] : [hasOwner(owner)]),
    ...(isInternal === undefined ? [] : [whereInternal(isInternal)]),
    ...whereEqual({ key_id: keyId, model, operation, upstream }),
  ];
}

function hasOwner(owner: OwnerFilter): Expression<SqlBool> {
  return sql<SqlBool>`key_id in (${keysOfOwner(owner)})`;
}

function whereInternal(isInternal: boolean): Expression<SqlBool> {
  const ids = sql.join(internalKeyIds);
  return isInternal ? sql<SqlBool>`key_id in (${ids})` : sql<SqlBool>`key_id not in (${ids})`;
}

/** Selects the ids of the console's operators and of the gateway itself. */
export function internalKeysTable(): RawBuilder<unknown> {
  return sql`select column1 as id from (values ${sql.join(internalKeyIds.map((id) => sql`(${id})`))}) as listed`;
}

/** Selects the ids. `values` may have more rows than a compound `select` of SQLite has parts. */
export function keysOfOwner({ name, fileKeyIds }: OwnerFilter): RawBuilder<unknown> {
  const inFile =
    fileKeyIds.length === 0 ? sql`` : sql`union all values ${sql.join(fileKeyIds.map((id) => sql`(${id})`))}`;
  return sql`select access_keys.id from access_keys where access_keys.owner = ${name} ${inFile}`;
}

function whereEqual(columns: Readonly<Record<string, string | number | undefined>>): Expression<SqlBool>[] {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return given.map(([column, value]) => sql<SqlBool>`${sql.ref(column)} = ${value}`);
}

/** The index of models has the requests without one, too. */
function whereModel({ hasModel }: LedgerFilter): Expression<SqlBool>[] {
  if (hasModel === undefined) return [];
  return [hasModel ? sql<SqlBool>`model is not null` : sql<SqlBool>`model is null`];
}

/** Literals, because a database uses a partial index only for a condition that it can compare with the index's own. */
function whereFailed({ failed }: LedgerFilter): Expression<SqlBool>[] {
  if (failed === undefined) return [];
  const left = sql.lit(callerLeftStatus);
  return failed
    ? [sql<SqlBool>`status >= 400`, sql<SqlBool>`status <> ${left}`]
    : [sql<SqlBool>`(status < 400 or status = ${left})`];
}

/** Rows that are in the indexes of recoveries. */
function whereRecovered({ recovered, recoveredFrom }: LedgerFilter): Expression<SqlBool>[] {
  const ofUpstream = whereEqual({ recovered_from: recoveredFrom });
  if (recovered === undefined) return ofUpstream;
  const isRecovered = sql<SqlBool>`recovered_from is ${sql.raw(recovered ? "not null" : "null")}`;
  return [isRecovered, ...ofUpstream];
}

/** Rows that are in the index of batches. */
function whereBatch({ batchId, isBatched }: LedgerFilter): Expression<SqlBool>[] {
  if (batchId !== undefined) return [sql<SqlBool>`batch_id = ${batchId}`];
  return isBatched ? [sql<SqlBool>`batch_id is not null`] : [];
}

/** The second condition follows from the first, and names the index with the fewest rows. */
function whereSlow({ minMs }: LedgerFilter): Expression<SqlBool>[] {
  if (minMs === undefined) return [];
  const indexed = indexedDurationsMs.findLast((ms) => ms <= minMs);
  return [
    sql<SqlBool>`ms >= ${minMs}`,
    ...(indexed === undefined ? [] : [sql<SqlBool>`ms >= ${sql.lit(indexed)}`]),
  ];
}

/** Whether the filter is about something that no rollup has, so that single rows must be read. */
export function needsRows(filter: LedgerFilter): boolean {
  const { hasModel, status, failed, errorCode, cache, minMs, jobId, recovered, recoveredFrom } = filter;
  const conditions = [hasModel, status, failed, errorCode, cache, minMs, jobId, recovered, recoveredFrom];
  return conditions.some((condition) => condition !== undefined) || isOfBatch(filter);
}

/** Whether the filter selects lines of batches only. Rollups do not know them. */
export function isOfBatch({ batchId, isBatched }: LedgerFilter): boolean {
  return batchId !== undefined || isBatched === true;
}

/** PostgreSQL fails on such a character, and no row contains it. */
export function refuseUnstorable(filter: LedgerFilter): void {
  const { keyId = "", model = "", upstream = "", errorCode = "", batchId = "", jobId = "" } = filter;
  const { owner, recoveredFrom = "" } = filter;
  const texts = {
    key_id: keyId,
    owner: owner?.name ?? "",
    model,
    upstream,
    error_code: errorCode,
    batch: batchId,
    job: jobId,
    recovered_from: recoveredFrom,
  };
  for (const [param, text] of Object.entries(texts)) {
    if (!isStorable(text))
      throw errorOf("invalid_value", { param, reason: "it contains a character that cannot be stored" });
  }
}
