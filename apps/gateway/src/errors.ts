import { errorTable } from "@model-gateway/spec/errors";

/** Every error that the gateway can return: `spec/errors.yaml`, which says what each means. */
export { errorTable };

export type ErrorCode = keyof typeof errorTable;

export interface ErrorDetail {
  /** The parameter at fault, as the caller wrote it. */
  readonly param?: string;
  /** For the log alone. It may hold what the caller must not see. */
  readonly cause?: unknown;
  readonly retryAfterMs?: number;
  /** The status of the upstream's reply, if there was one. */
  readonly upstreamStatus?: number;
  /** The index of the input at fault in one upstream call. */
  readonly inputIndex?: number;
  /** Whether it is certain that the upstream did nothing that is billed. */
  readonly nothingBilled?: boolean;
  /** Additional headers of the response, such as `allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only error that reaches a caller. `message` is for the caller; private detail goes in `cause`, for the log. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterMs: number | undefined;
  readonly upstreamStatus: number | undefined;
  nothingBilled: boolean;
  /** Whether the upstream had begun something that is billed when this happened, such as a job. */
  isCommitted = false;
  readonly inputIndex: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The upstream that failed, for the log. The dispatcher sets it. */
  upstream: string | undefined;
  /** The number of attempts, including the failed one. */
  attempts: number | undefined;
  /** The input at fault as its `shareKey`. The coalescer sets it, because one call may join several requests. */
  inputKey: string | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = "GatewayError";
    this.code = code;
    this.param = detail.param ?? null;
    this.retryAfterMs = detail.retryAfterMs;
    this.upstreamStatus = detail.upstreamStatus;
    this.nothingBilled = detail.nothingBilled ?? false;
    this.inputIndex = detail.inputIndex;
    this.headers = detail.headers ?? {};
  }

  /** From here on it does not mean that nothing was made, whatever its code says of other requests. */
  markCommitted(): void {
    this.isCommitted = true;
    this.nothingBilled = false;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** The body of the response: the spec's `ErrorResponse`. */
  get body(): { error: { message: string; type: string; param: string | null; code: string } } {
    const { type } = errorTable[this.code];
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorTable, code);
}

/** Whether a code blames the request. No other code is taken over from an upstream's reply. */
export function isCallerError(code: unknown): code is ErrorCode {
  return isErrorCode(code) && (errorTable[code].status === 400 || errorTable[code].status === 413);
}

/** The database cannot be reached or is too busy. */
export function storageUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    "storage_unavailable",
    "The gateway's database cannot be reached. Retry in a moment.",
    { cause, retryAfterMs: 1000 },
  );
}

/** The bucket for images cannot be reached, or refuses the gateway. Nothing was bought. */
export function imageStoreUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    "image_store_unavailable",
    "The store for images cannot be reached. Retry in a moment.",
    { cause, retryAfterMs: 1000, nothingBilled: true },
  );
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
  return new GatewayError(
    "storage_full",
    "The gateway's disk is full, so it takes no large files and stores no images. Other requests still work, with images as 'b64_json'.",
    { cause, retryAfterMs: 10_000, nothingBilled: true },
  );
}

/** The response could not be stored, or no lock could be taken. Nothing was bought. */
export function idempotencyUnavailable(cause: unknown): GatewayError {
  const { retryAfterMs = 1000 } = cause instanceof GatewayError ? cause : {};
  return new GatewayError(
    "idempotency_unavailable",
    "The response could not be stored for its Idempotency-Key, so nothing was bought. Retry in a moment with the same key.",
    { cause, retryAfterMs, nothingBilled: true },
  );
}
