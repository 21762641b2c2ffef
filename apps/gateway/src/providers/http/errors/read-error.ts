import { isObject } from "../../../domain/json.js";
import { type ErrorCode, isCallerError } from "../../../errors.js";
import type { ErrorReply, ReportedError } from "./upstream-errors.js";

const messageLengthMax = 2000;

/**
 * Reads OpenAI's error object, and what compatible servers send instead: a flat object, a text under a key, or the list
 * of a FastAPI server.
 */
export function readOpenAiError({ status, body }: ErrorReply): ReportedError {
  const parsed = parseObject(body);
  const error = isObject(parsed?.error) ? parsed.error : parsed;
  if (error === undefined) return {};
  const detail = readFastApiDetail(parsed?.detail);
  const message = [error.message, parsed?.error, detail.message].find((text) => typeof text === "string");
  const param = typeof error.param === "string" ? error.param : detail.param;
  const code = codeOf(status, error);
  return {
    ...(code === undefined ? {} : { code }),
    ...(typeof message === "string" ? { message: clip(message) } : {}),
    ...(param === undefined ? {} : { param }),
    ...(typeof error.code === "string" ? { word: error.code } : {}),
  };
}

/** Upstreams use several statuses for content moderation, even that of a refused key. */
function codeOf(status: number, { code, type }: Record<string, unknown>): ErrorCode | undefined {
  if (status < 400 || status > 499) return undefined;
  if (status === 429 && code === "insufficient_quota") return "insufficient_quota";
  const callers = callerCode(code, type);
  const isMistake = status === 400 || status === 413 || status === 422 || isModeration(callers);
  return isMistake ? callers : undefined;
}

/** The codes and types that upstreams use for content moderation. */
const moderationCodes = new Set([
  "contentFilter",
  "content_filter",
  "ResponsibleAIPolicyViolation",
  "image_generation_user_error",
]);

function isModeration(code: ErrorCode): boolean {
  return code === "moderation_blocked" || code === "content_policy_violation";
}

/** The code of a caller's mistake: the upstream's own where it is one of ours. */
export function callerCode(code: unknown, type?: unknown): ErrorCode {
  if (isCallerError(code)) return code;
  const isModerated = [code, type].some((word) => typeof word === "string" && moderationCodes.has(word));
  return isModerated ? "moderation_blocked" : "upstream_rejected";
}

/** FastAPI sends `{"detail": "text"}`, or a list of errors with the path of a field and a `msg` each. */
export function readFastApiDetail(detail: unknown): Pick<ReportedError, "message" | "param"> {
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  if (typeof first === "string") return { message: clip(first) };
  if (!isObject(first)) return {};
  const param = pathOf(first.loc);
  return {
    ...(typeof first.msg === "string" ? { message: clip(first.msg) } : {}),
    ...(param === "" ? {} : { param }),
  };
}

/** `["body", "input", 3, "str"]` becomes `input[3]`: words after an index are branches of a union. */
function pathOf(location: unknown): string {
  if (!Array.isArray(location)) return "";
  let path = "";
  for (const step of location[0] === "body" ? location.slice(1) : location) {
    if (typeof step === "number") return `${path}[${step}]`;
    if (typeof step !== "string" || !/^\w{1,64}$/.test(step)) return path;
    path = path === "" ? step : `${path}.${step}`;
  }
  return path;
}

/** The upstream's name of a parameter in the caller's words: `texts[3]` is `input[3]`. */
export function renameParam(
  param: string | undefined,
  names: Readonly<Record<string, string>>,
): string | undefined {
  const [, name = "", rest = ""] = /^(\w+)(.*)$/.exec(param ?? "") ?? [];
  return Object.hasOwn(names, name) ? `${names[name]}${rest}` : param;
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Messages go to the caller, so their length is bounded. They end after a whole word: half of a secret would not be
 * recognised when the message leaves the gateway.
 */
export function clip(message: string): string {
  if (message.length <= messageLengthMax) return message;
  let end = messageLengthMax;
  while (end > 0 && !/\s/.test(message[end] ?? "")) end -= 1;
  return `${message.slice(0, end)}…`;
}
