import { durationBuckets } from "@model-gateway/domain/duration-histogram";
import {
  columnEntries,
  columnName,
  type LedgerForm,
  type StoredValues,
} from "../../../usage/ledger/ledger-columns.js";
import {
  type Column,
  defineTable,
  indexStatements,
  integer,
  nullable,
  primaryKey,
  real,
  text,
} from "../define-table.js";

/** A duration filter reads the largest of these indexes that is not above it. */
export const indexedDurationsMs = [100, 1000, 10_000] as const;

const formColumns: Readonly<Record<LedgerForm, Column<unknown>>> = {
  text: text(),
  integer: integer(),
  time: integer(),
  nanos: integer(),
  real: real(),
  flag: integer(),
  json: text(),
};

const ledgerRows = defineTable(
  {
    ...(Object.fromEntries(
      columnEntries.map(([name, { form, isNullable }]) => [
        columnName(name),
        isNullable ? nullable(formColumns[form]) : formColumns[form],
      ]),
    ) as { readonly [Name in keyof StoredValues]: Column<StoredValues[Name]> }),
    id: primaryKey(text()),
    /** The upstream of the first of the failed attempts. */
    recovered_from: nullable(text()),
  },
  {
    // One index for each filter of the list, in the list's order. The sparse ones are partial: a fast request that
    // succeeds and has no cache is in the index of its upstream alone.
    indexes: {
      by_time: "(at, id)",
      by_key_id: "(key_id, at, id)",
      by_model: "(model, at, id)",
      by_operation: "(operation, at, id)",
      by_status: "(status, at, id)",
      by_error_code: "(error_code, at, id) where error_code is not null",
      by_upstream: "(upstream, at, id) where upstream is not null",
      by_cache: "(cache, at, id) where cache is not null",
      by_failure: "(at, id) where status >= 400",
      by_key_failure: "(key_id, at, id) where status >= 400",
      by_batch: "(batch_id, at, id) where batch_id is not null",
      by_job: "(job_id, at, id) where job_id is not null",
      by_recovery: "(at, id) where recovered_from is not null",
      by_recovered_from: "(recovered_from, at, id) where recovered_from is not null",
      ...Object.fromEntries(
        indexedDurationsMs.map((ms) => [`by_duration_${ms}`, `(at, id) where ms >= ${ms}`]),
      ),
    },
  },
);

export type DurationColumn = `duration_${number}`;

/** The number of requests in each `DurationHistogram` bucket. Null instead of 0. */
const durations: Readonly<Record<DurationColumn, Column<number | null>>> = Object.fromEntries(
  Array.from({ length: durationBuckets }, (_, bucket) => [`duration_${bucket}`, nullable(integer())]),
);

const sums = {
  starts_at: integer(),
  key_id: text(),
  /** Empty instead of null: nulls are distinct in a unique index. */
  model: text(),
  operation: text<StoredValues["operation"]>(),
  /** Empty instead of null, as `model`. */
  upstream: text(),
  /** The last known name of the key. */
  key_name: text(),
  requests: integer(),
  failures: integer(),
  input_tokens: integer(),
  output_tokens: integer(),
  images: integer(),
  cost_nanos: integer(),
  unpriced: integer(),
  /** The estimates for those. */
  estimated_nanos: integer(),
  cached_inputs: integer(),
  /** Null if nothing was cached, or if no price is known. */
  saved_nanos: nullable(integer()),
};
const rollupColumns: typeof sums & typeof durations = { ...sums, ...durations };

/** A rollup of the ledger by hour or day. */
const rollup = defineTable(rollupColumns, {
  primaryKey: ["starts_at", "key_id", "model", "operation", "upstream"],
  indexes: { by_key: "(key_id, starts_at)" },
});

/** Requests, and their sums. */
export const ledgerTables = {
  ledger_rows: ledgerRows,
  usage_hours: rollup,
  usage_days: rollup,

  /** A rollup of the ledger by batch: a batch may have fifty thousand rows, and a list of batches is read often. */
  batch_costs: defineTable({
    batch_id: primaryKey(text()),
    requests: integer(),
    /** The known costs. */
    cost_nanos: integer(),
    /** The number of rows whose cost is unknown. */
    unpriced: integer(),
  }),
};

/** The statements that create the ledger's indexes, by their names. */
export const ledgerIndexes = indexStatements("ledger_rows", ledgerRows);
