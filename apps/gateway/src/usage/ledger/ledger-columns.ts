import { isContentCredentials } from "@model-gateway/domain/content-credentials";
import type { OperationId } from "@model-gateway/domain/operations";
import { areFailedAttempts, isRequestFailure } from "@model-gateway/domain/request-failure";

/**
 * The columns of the ledger, each said once. From this table follow the type of a row, the line of the spool, the table of
 * the database and its statements, the fields of the API and of CSV files, and the type of the log line. A shown column is
 * also a field of `RequestRecord` in the spec, or of `OwnRequest` where callers see it. `npm run build` writes
 * `generated/ledger-row.ts` from it. Large values come last, so that a database reads the others without them.
 */
export const ledgerColumns = {
  /** The `x-request-id`. */
  id: { form: "text", shownTo: "caller" },
  /** The arrival time: milliseconds since 1970. */
  at: { form: "time", shownTo: "caller", apiName: "created_at" },
  keyId: { form: "text", shownTo: "operator" },
  keyName: { form: "text", shownTo: "operator" },
  /** The owner that the key had then; null if it had none. */
  owner: { form: "text", isNullable: true, shownTo: "operator" },
  operation: { form: "text", check: isOperation, shownTo: "caller", isLogged: true },
  /** Null if the request names no model that there is, or that other rows show there was. */
  model: { form: "text", isNullable: true, shownTo: "caller", isLogged: true },
  /** The upstream of the last attempt; null if none was called, or if the caller left before that was known. */
  upstream: { form: "text", isNullable: true, shownTo: "operator", isLogged: true },
  /** 0 where `upstream` is null. */
  attempts: { form: "integer", shownTo: "operator", isLogged: true },
  /** 499 if the caller left before the response was complete, 500 if the gateway died before. */
  status: { form: "integer", shownTo: "caller" },
  inputTokens: { form: "integer", shownTo: "caller" },
  outputTokens: { form: "integer", shownTo: "caller" },
  images: { form: "integer", shownTo: "caller" },
  /** In billionths of a US dollar; null if the cost is unknown. */
  costNanos: { form: "nanos", isNullable: true, empty: 0, shownTo: "caller", apiName: "cost_usd" },
  /** The amount that a budget counts for an unknown cost. 0 if the cost is known, or if no price is. */
  estimatedNanos: { form: "nanos" },
  ms: { form: "real", shownTo: "caller", apiName: "duration_ms" },
  requestBytes: { form: "integer", shownTo: "caller", isLogged: true },
  responseBytes: { form: "integer", shownTo: "caller", isLogged: true },
  cache: { form: "text", check: isCacheUse, isNullable: true, shownTo: "caller", isLogged: true },
  errorCode: { form: "text", isNullable: true, shownTo: "caller", isLogged: true },
  /** Whether the upstream did not report its tokens, so that they are the gateway's estimate. */
  tokensEstimated: { form: "flag", shownTo: "caller", isLogged: true },
  /** The distinct inputs served by the cache. */
  cachedInputs: { form: "integer", shownTo: "caller" },
  /** Their cost without the cache, in billionths of a US dollar; null if unknown. */
  savedNanos: { form: "nanos", isNullable: true, empty: 0, shownTo: "caller", apiName: "saved_usd" },
  /** Null where no image was delivered. */
  contentCredentials: {
    form: "text",
    check: isContentCredentials,
    isNullable: true,
    shownTo: "caller",
    isLogged: true,
  },
  /** The batch that the request is a line of; null if it is not one. */
  batchId: { form: "text", isNullable: true, shownTo: "caller" },
  /** The image job that ran it; null if none did. */
  jobId: { form: "text", isNullable: true, shownTo: "caller" },
  /** Null where `errorCode` is. */
  failure: { form: "json", check: isRequestFailure, isNullable: true, shownTo: "caller" },
  /** The calls that failed before others succeeded. Null if none did, or if the request failed. */
  failedAttempts: { form: "json", check: areFailedAttempts, isNullable: true, shownTo: "operator" },
} as const satisfies Readonly<Record<string, LedgerColumn>>;

/** The version of the columns. It changes where a column gets another meaning or place. */
export const ledgerFormat = 1;

export interface LedgerColumn {
  readonly form: LedgerForm;
  readonly isNullable?: true;
  /** The value is of a narrower type than the form's. JSON has no other check. */
  readonly check?: (value: unknown) => boolean;
  /** In `emptyRow`. Absent: null, or what the form has. */
  readonly empty?: number;
  /** The readers of the API that see it. Operators see the columns of callers as well. Absent: nobody. */
  readonly shownTo?: "caller" | "operator";
  /** Absent: `columnName`. */
  readonly apiName?: string;
  /** Whether the log line of a request has it. */
  readonly isLogged?: true;
}

/** `time` is in milliseconds since 1970, `nanos` in billionths of a US dollar. Both are integers. */
export type LedgerForm = "text" | "integer" | "time" | "nanos" | "real" | "flag" | "json";

export type LedgerColumns = typeof ledgerColumns;

/** The values of a row. */
export type LedgerValues = { readonly [Name in keyof LedgerColumns]: ValueOf<LedgerColumns[Name]> };

type ValueOf<C extends LedgerColumn> = CheckedValue<C> | (C extends { isNullable: true } ? null : never);

type CheckedValue<C extends LedgerColumn> = C extends { check: (value: unknown) => value is infer Value }
  ? Value
  : FormValues[C["form"]];

interface FormValues {
  readonly text: string;
  readonly integer: number;
  readonly time: number;
  readonly nanos: number;
  readonly real: number;
  readonly flag: boolean;
  readonly json: never;
}

/** The same values in the database, by the names there. JSON is text, and a flag is 0 or 1. */
export type StoredValues = {
  readonly [Name in keyof LedgerColumns as SnakeCase<Name>]: StoredValue<LedgerColumns[Name]>;
};

type StoredValue<C extends LedgerColumn> = C extends { form: "flag" }
  ? number
  : C extends { form: "json" }
    ? string | null
    : ValueOf<C>;

/** The columns that the log line of a request has. */
export type LoggedColumn = {
  [Name in keyof LedgerColumns]: LedgerColumns[Name] extends { isLogged: true } ? Name : never;
}[keyof LedgerColumns];

/** `cost_nanos` for `costNanos`. */
export type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** The name of a column in the database, and in the API unless it has another there. */
export function columnName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns with their names, in their order. */
export const columnEntries = Object.entries(ledgerColumns) as readonly [keyof LedgerColumns, LedgerColumn][];

const emptyValues = { text: "", integer: 0, time: 0, nanos: 0, real: 0, flag: false, json: null };

/** A request that used nothing. Rows that are written seldom begin with it. */
export const emptyRow = Object.fromEntries(
  columnEntries.map(([name, { form, isNullable, empty }]) => [
    name,
    empty ?? (isNullable ? null : emptyValues[form]),
  ]),
) as unknown as Omit<LedgerValues, "id" | "operation">;

/** Any text: a row may be of a version with other operations. */
function isOperation(value: unknown): value is OperationId {
  return typeof value === "string";
}

function isCacheUse(value: unknown): value is "hit" | "partial" | "miss" {
  return value === "hit" || value === "partial" || value === "miss";
}
