import { errorMessages, errorTable, type MessageValues } from "@model-gateway/spec/errors";
import { isDiskFull } from "./failure-code.js";
import { type FailedAttempt, recordableName, recordableValue } from "./request-failure.js";

/** Every error that the gateway can return. `spec/errors.yaml` explains each. */
export { errorTable };

export type ErrorCode = keyof typeof errorTable;

/** Detail that is undefined counts as absent. */
export interface ErrorDetail {
  /** The parameter at fault, as the caller wrote it. Empty: the whole body. */
  readonly param?: string | null | undefined;
  /** For the log alone. It may hold text that the caller must not see. */
  readonly cause?: unknown;
  readonly retryAfterMs?: number | undefined;
  /** The status of the upstream's reply, if there was one. */
  readonly upstreamStatus?: number | undefined;
  /** Whether it is certain that the upstream did nothing that is billed. */
  readonly nothingBilled?: boolean | undefined;
  /** Whether the upstream had begun something that is billed, such as a job. Then `nothingBilled` does not hold. */
  readonly isCommitted?: boolean | undefined;
  /** The index of the input at fault in one upstream call. */
  readonly inputIndex?: number | undefined;
  /** The input at fault as its `shareKey`, because one call may join several requests. */
  readonly inputKey?: string | undefined;
  /** Additional response headers, such as `allow`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The upstream that failed, for the log. */
  readonly upstream?: string | undefined;
  /** The number of attempts, including the failed one. */
  readonly attempts?: number | undefined;
  /** The attempts that failed, in order, for the ledger. */
  readonly failedAttempts?: readonly FailedAttempt[] | undefined;
  /** The text for the ledger, where the message quotes a caller's value or an upstream. */
  readonly recorded?: string | undefined;
  /** The text for operators, where it says more: the upstream's host, or its own message if that quotes no request. */
  readonly forOperators?: string | undefined;
}

/** A text, or how it reads with the name of the parameter: an input has another index in a batch than in its request. */
type ErrorMessage = string | ((param: string) => string);

/**
 * The only error that reaches a caller. `message` is for the caller; private detail goes in `cause`, for the log. It is
 * never changed: several requests may share one. `with` adds context.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterMs: number | undefined;
  readonly upstreamStatus: number | undefined;
  readonly nothingBilled: boolean;
  readonly isCommitted: boolean;
  readonly inputIndex: number | undefined;
  readonly inputKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly upstream: string | undefined;
  readonly attempts: number | undefined;
  readonly failedAttempts: readonly FailedAttempt[] | undefined;
  readonly recorded: string | undefined;
  readonly forOperators: string | undefined;
  readonly #message: ErrorMessage;

  constructor(code: ErrorCode, message: ErrorMessage, detail: ErrorDetail = {}) {
    super(
      typeof message === "string" ? message : message(detail.param ?? ""),
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = "GatewayError";
    this.code = code;
    this.param = detail.param || null;
    this.retryAfterMs = detail.retryAfterMs;
    this.upstreamStatus = detail.upstreamStatus;
    this.isCommitted = detail.isCommitted ?? false;
    this.nothingBilled = detail.nothingBilled === true && !this.isCommitted;
    this.inputIndex = detail.inputIndex;
    this.inputKey = detail.inputKey;
    this.headers = detail.headers ?? {};
    this.upstream = detail.upstream;
    this.attempts = detail.attempts;
    this.failedAttempts = detail.failedAttempts;
    this.recorded = detail.recorded === this.message ? undefined : detail.recorded;
    this.forOperators = detail.forOperators;
    this.#message = message;
  }

  /** The same failure with more context, and the same stack. */
  with(context: ErrorDetail): GatewayError {
    const detail = { ...detailOf(this), ...context };
    return withStackOf(this, () => new GatewayError(this.code, this.#message, detail));
  }

  /**
   * The same failure with one more sentence, and without permission to retry: something may have been bought. Where and
   * how it failed is kept; whatever helps a retry is not.
   */
  followedBy(sentence: string): GatewayError {
    const { code, message, recordedMessage, forOperators, cause, upstream, attempts, failedAttempts } = this;
    return new GatewayError(code, `${message} ${sentence}`, {
      recorded: `${recordedMessage} ${sentence}`,
      forOperators: forOperators === undefined ? undefined : `${forOperators} ${sentence}`,
      headers: { "x-should-retry": "false" },
      cause,
      upstream,
      attempts,
      failedAttempts,
    });
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** The message without quotations. It may still name the parameter and the model, which `describeFailure` checks. */
  get recordedMessage(): string {
    return this.recorded ?? this.message;
  }

  /** The message for operators. It names hosts, so callers never get it. Secrets are not hidden yet. */
  get operatorMessage(): string {
    return this.forOperators ?? this.recordedMessage;
  }

  /** The body of the response: the spec's `ErrorResponse`. */
  get body(): { error: { message: string; type: string; param: string | null; code: string } } {
    const { type } = errorTable[this.code];
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}

/** All that an error knows besides its code and its message. */
export function detailOf(error: GatewayError): ErrorDetail {
  return { ...error, cause: error.cause };
}

/**
 * Creates an error with the stack of another. V8 takes the frames of a new error, and writes them out when its `stack` is
 * touched: without either, a copy takes 5 µs where it would take 24, and a new error takes 6.
 */
export function withStackOf<E extends Error>(original: Error, create: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return Object.defineProperty(create(), "stack", { get: () => original.stack, configurable: true });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Adds context to a failure. An error of another kind is returned as it is. */
export function withContext(failure: unknown, context: ErrorDetail): unknown {
  return failure instanceof GatewayError ? failure.with(context) : failure;
}

/**
 * An error with the message of the table. A parameter among its values is the parameter at fault.
 *
 * @param hint A sentence that follows the message.
 */
export function errorOf<Code extends keyof MessageValues>(
  code: Code,
  values: MessageValues[Code],
  { hint, ...detail }: ErrorDetail & { readonly hint?: string | undefined } = {},
): GatewayError {
  const write = (filled: MessageValues[Code]): string => {
    const text = errorMessages[code](filled);
    return hint === undefined ? text : `${text} ${hint}`;
  };
  const message = (param: string): string =>
    write(values.param === undefined ? values : { ...values, param });
  const recorded = quotes(values) ? write(withoutQuotes(values)) : undefined;
  return new GatewayError(code, message, { param: values.param, recorded, ...detail });
}

/** Of the values in messages, these are the caller's own text. */
function quotes(values: object): values is { readonly value?: unknown; readonly key?: unknown } {
  return "value" in values || "key" in values;
}

function withoutQuotes<V extends { readonly value?: unknown; readonly key?: unknown }>(values: V): V {
  const { value, key } = values;
  return {
    ...values,
    ...(value !== undefined && { value: recordableValue(String(value)) }),
    ...(key !== undefined && { key: recordableName(String(key)) }),
  };
}

/**
 * An error whose message quotes a value that the caller sent.
 *
 * @param write The message with the value.
 */
export function errorQuoting(
  code: ErrorCode,
  write: (value: string) => string,
  { value, ...detail }: ErrorDetail & { readonly value: string },
): GatewayError {
  return new GatewayError(code, write(value), { ...detail, recorded: write(recordableValue(value)) });
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorTable, code);
}

/** Whether a code blames the request. No other code is taken over from an upstream's reply. */
export function isCallerError(code: unknown): code is ErrorCode {
  return isErrorCode(code) && (errorTable[code].status === 400 || errorTable[code].status === 413);
}

/** The database cannot be reached or is too busy, or its disk is full. */
export function storageUnavailable(cause: unknown): GatewayError {
  const context = { cause, retryAfterMs: 1000 };
  return isDiskFull(cause)
    ? new GatewayError("storage_unavailable", diskFullMessage, context)
    : errorOf("storage_unavailable", {}, context);
}

const diskFullMessage =
  "The disk of the gateway's database is full, so it takes no changes. Retry when there is room again.";

/** The bucket for images cannot be reached, or refuses the gateway. Nothing was bought. */
export function imageStoreUnavailable(cause: unknown): GatewayError {
  return errorOf("image_store_unavailable", {}, { cause, retryAfterMs: 1000, nothingBilled: true });
}

/** The bucket for files cannot be reached, or refuses the gateway. */
export function fileStoreUnavailable(cause: unknown): GatewayError {
  return errorOf("file_store_unavailable", {}, { cause, retryAfterMs: 1000, nothingBilled: true });
}

/** The process has no file descriptor left, or too few to begin something. The caller's connection is one of them. */
export function tooManyOpenFiles(cause?: unknown): GatewayError {
  return new GatewayError(
    "gateway_overloaded",
    "The gateway has too many open connections and files to serve this request. Retry in a moment.",
    { cause, retryAfterMs: 1000, nothingBilled: true, headers: { connection: "close" } },
  );
}

/** The disk of the data folder is full, or nearly so. Nothing has been bought. */
export function diskFull(cause?: unknown): GatewayError {
  return errorOf("storage_full", {}, { cause, retryAfterMs: 10_000, nothingBilled: true });
}

/** The response could not be stored, or no lock could be taken. Nothing was bought. */
export function idempotencyUnavailable(cause: unknown): GatewayError {
  const { retryAfterMs = 1000 } = cause instanceof GatewayError ? cause : {};
  return errorOf("idempotency_unavailable", {}, { cause, retryAfterMs, nothingBilled: true });
}
