import { isRecord } from "./is-record.js";
import { readRetryAfter } from "./retry-after.js";
import type { components } from "./spec.js";

/** Why a call failed: the gateway's own error, with the wait that the headers ask for. */
export interface GatewayFault extends Readonly<components["schemas"]["Error"]> {
  /** How long to wait before the next try. */
  readonly retryAfterMs?: number;
}

/** The codes that this package gives, beside those of the gateway. Their `type` is `unexpected_answer`. */
export type ClientCode = "unexpected_answer" | "event_too_large" | "stream_incomplete";

/** Reads the fault out of an error body. What is not in the gateway's shape came from something in between. */
export function readFault(body: unknown, response: Response): GatewayFault {
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error) || typeof error.message !== "string") return unexpectedAnswer(response, body);
  return {
    message: error.message,
    type: textOrNull(error.type) ?? "unexpected_answer",
    param: textOrNull(error.param),
    code: textOrNull(error.code),
    ...waitOf(response),
  };
}

/** The fault of an answer that the gateway would not have given. */
export function unexpectedAnswer(response: Response, body: unknown): GatewayFault {
  const contentType = response.headers.get("content-type") ?? "no content type";
  const status = `${response.status} ${response.statusText}`.trim();
  const excerpt = excerptOf(body);
  const message = `Unexpected answer: ${status}, ${contentType}${excerpt && `: ${excerpt}`}`;
  return { ...clientFault("unexpected_answer", message), ...waitOf(response) };
}

export function clientFault(code: ClientCode, message: string): GatewayFault {
  return { message, type: "unexpected_answer", param: null, code };
}

const excerptLengthMax = 200;

function excerptOf(body: unknown): string {
  if (body === undefined || body === null) return "";
  const text = (typeof body === "string" ? body : JSON.stringify(body)).replace(/\s+/g, " ").trim();
  return text.length > excerptLengthMax ? `${text.slice(0, excerptLengthMax)}…` : text;
}

function waitOf(response: Response): { retryAfterMs?: number } {
  const retryAfterMs = readRetryAfter(response.headers, Date.now());
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
