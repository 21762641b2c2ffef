import type { components } from "../spec.js";
import { isRecord } from "./json.js";

/** Why a call failed: the gateway's error, and the delay in the headers. */
export interface GatewayFault<Status extends number = number, Code extends string = FaultCode>
  extends Readonly<Omit<components["schemas"]["Error"], "code">> {
  /** A code of the gateway, or one of this package. A newer gateway may send others. */
  readonly code: Code | (string & {});
  /** The status of the response. */
  readonly status: Status;
  /** Delay before the next attempt. */
  readonly retryAfterMs?: number;
}

/** The gateway's codes, and those of this package. */
export type FaultCode = components["schemas"]["ErrorCode"] | ClientCode;

/** This package's codes, in addition to the gateway's. */
export type ClientCode = "unexpected_response" | "event_too_large" | "stream_incomplete" | "not_ready";

/** A fault before its status is added. */
export type FaultText = Omit<GatewayFault, "status">;

/** Reads the fault from an error body. A body of another shape came from a proxy in between, and so did one without a code. */
export function readFault(body: unknown, response: Response): FaultText {
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error) || typeof error.message !== "string") return unexpectedResponse(response, body);
  return {
    message: error.message,
    type: textOrNull(error.type) ?? "unexpected_response",
    param: textOrNull(error.param),
    code: textOrNull(error.code) ?? "unexpected_response",
    ...delayOf(response),
  };
}

/** The fault of a response that the gateway would not have sent. */
export function unexpectedResponse(response: Response, body: unknown): FaultText {
  const contentType = response.headers.get("content-type") ?? "no content type";
  const status = `${response.status} ${response.statusText}`.trim();
  const excerpt = excerptOf(body);
  const message = `Unexpected response: ${status}, ${contentType}${excerpt && `: ${excerpt}`}`;
  return { ...clientFault("unexpected_response", message), ...delayOf(response) };
}

export function clientFault(code: ClientCode, message: string): FaultText {
  return { message, type: "unexpected_response", param: null, code };
}

const excerptLengthMax = 200;

function excerptOf(body: unknown): string {
  if (body === undefined || body === null) return "";
  const text = (typeof body === "string" ? body : JSON.stringify(body)).replace(/\s+/g, " ").trim();
  return text.length > excerptLengthMax ? `${text.slice(0, excerptLengthMax)}…` : text;
}

function delayOf(response: Response): { retryAfterMs?: number } {
  const retryAfterMs = readRetryAfter(response.headers, Date.now());
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/**
 * The delay in the headers, if any. The gateway sends `retry-after-ms` as well as seconds; a proxy may send a date (RFC
 * 9110, section 10.2.3).
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const exactMs = readNumber(headers.get("retry-after-ms"));
  if (exactMs !== undefined) return exactMs;
  const written = headers.get("retry-after");
  const seconds = readNumber(written);
  if (seconds !== undefined) return seconds * 1000;
  const dateMs = Date.parse(written ?? "");
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

function readNumber(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
