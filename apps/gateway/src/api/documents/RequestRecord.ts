import type { Schemas } from "@model-gateway/domain/operations";
import type { FailedAttempt, RequestFailure, SkippedTarget } from "@model-gateway/domain/request-failure";
import {
  columnEntries,
  columnName,
  type LedgerColumn,
  type LedgerColumns,
  type SnakeCase,
} from "../../usage/ledger/ledger-columns.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import { dollars } from "./ledger-query.js";

type Reader = NonNullable<LedgerColumn["shownTo"]>;

/** The fields that a reader is shown, except those of JSON, which are described one by one. */
type ShownFields<To extends Reader> = {
  [Name in keyof LedgerColumns as LedgerColumns[Name] extends { form: "json" }
    ? never
    : LedgerColumns[Name] extends { shownTo: To }
      ? ApiName<Name>
      : never]: LedgerRow[Name];
};

type ApiName<Name extends keyof LedgerColumns> = LedgerColumns[Name] extends {
  apiName: infer Api extends string;
}
  ? Api
  : SnakeCase<Name>;

const shown = columnEntries.flatMap(([name, { shownTo, apiName, form }]) =>
  shownTo === undefined ? [] : [{ name, shownTo, form, apiName: apiName ?? columnName(name) }],
);

/** The names of the fields of a `RequestRecord`, in the order of the columns. */
export const requestFields = shown.map(({ apiName }) => apiName) as (keyof Schemas["RequestRecord"])[];

/** A ledger row as its caller sees it: never an upstream. */
export function describeOwnRequest(row: LedgerRow): Schemas["OwnRequest"] {
  return {
    object: "request",
    ...shownFields(row, "caller"),
    failure: row.failure && describeOwnFailure(row.failure),
  };
}

/** The same for an operator, with the key and the upstream. */
export function describeRequest(row: LedgerRow): Schemas["RequestRecord"] {
  return {
    object: "request",
    ...shownFields(row, "caller"),
    ...shownFields(row, "operator"),
    failure: row.failure && describeFailure(row.failure),
    failed_attempts: (row.failedAttempts ?? []).map(describeAttempt),
  };
}

function shownFields<To extends Reader>(row: LedgerRow, reader: To): ShownFields<To> {
  const fields = shown.filter(({ shownTo, form }) => shownTo === reader && form !== "json");
  return Object.fromEntries(
    fields.map(({ name, apiName, form }) => [apiName, describeValue(row[name], form)]),
  ) as ShownFields<To>;
}

function describeValue(value: LedgerRow[keyof LedgerRow], form: LedgerColumn["form"]): unknown {
  if (typeof value !== "number") return value;
  if (form === "time") return Math.floor(value / 1000);
  return form === "nanos" ? dollars(value) : value;
}

/** Without the attempts and the message for operators, which name upstreams. */
function describeOwnFailure({ message, callerMessage = message, param, requestedModel }: RequestFailure) {
  return { message: callerMessage, param, requested_model: requestedModel };
}

function describeFailure(failure: RequestFailure): Schemas["RequestFailure"] {
  return {
    ...describeOwnFailure(failure),
    message: failure.message,
    attempts: failure.attempts.map(describeAttempt),
  };
}

function describeAttempt(attempt: FailedAttempt): Schemas["FailedAttempt"] {
  const { upstream, model, status, ms, reason, skipped } = attempt;
  return {
    upstream,
    model,
    status,
    duration_ms: ms,
    reason,
    skipped: skipped === undefined ? null : describeSkipped(skipped),
  };
}

function describeSkipped({
  failingSince,
  failures,
  pausedUntil,
  lastError,
}: SkippedTarget): Schemas["SkippedTarget"] {
  return {
    failing_since: failingSince === null ? null : Math.floor(failingSince / 1000),
    failures,
    paused_until: pausedUntil === null ? null : Math.ceil(pausedUntil / 1000),
    last_error: lastError && { ...lastError, at: Math.floor(lastError.at / 1000) },
  };
}
