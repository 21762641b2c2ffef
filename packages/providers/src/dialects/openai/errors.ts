import { type ErrorCode, isCallerError } from "@model-gateway/domain/errors";
import { isObject } from "@model-gateway/runtime/json";
import { type ParamNames, parseObject, renameParam, textOf } from "../../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../../http/errors/upstream-errors.js";
import { readFastApiDetail } from "../fast-api.js";

/**
 * Reads OpenAI's error object, and the forms of compatible servers: a flat object, a text under a key, or FastAPI's
 * list.
 *
 * @param names The caller's names of parameters that the upstream renames.
 */
export function readOpenAiError({ status, body }: ErrorReply, names: ParamNames = {}): ReportedError {
  const parsed = parseObject(body);
  const error = isObject(parsed?.error) ? parsed.error : parsed;
  if (error === undefined) return {};
  const detail = readFastApiDetail(parsed?.detail);
  const message = [error.message, parsed?.error, detail.message].find((text) => typeof text === "string");
  const param = typeof error.param === "string" ? error.param : detail.param;
  return {
    code: codeOf(status, error),
    message: textOf(message),
    param: renameParam(param, names),
    word: textOf(error.code),
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

/** The code of a caller's mistake: the upstream's own if the gateway has it. */
export function callerCode(code: unknown, type?: unknown): ErrorCode {
  if (isCallerError(code)) return code;
  const isModerated = [code, type].some((word) => typeof word === "string" && moderationCodes.has(word));
  return isModerated ? "moderation_blocked" : "upstream_rejected";
}
