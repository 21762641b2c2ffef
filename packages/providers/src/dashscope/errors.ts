import { type ErrorCode, type GatewayError, isCallerError } from "@model-gateway/domain/errors";
import { isObject } from "@model-gateway/runtime/json";
import { errorInReply, type StatusByWord } from "../http/errors/error-in-reply.js";
import { parseObject, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";

/** `{ "code", "message", "request_id" }`, or OpenAI's `{ "error" }` where that dialect is spoken. */
export function readDashScopeError({ status, body }: ErrorReply): ReportedError {
  const parsed = parseObject(body);
  const { code, message } = isObject(parsed?.error) ? parsed.error : (parsed ?? {});
  const word = textOf(code);
  const text = textOf(message);
  return { code: codeOf(status, word ?? "", text ?? ""), message: text, word };
}

/** The words of the native API, and those of the compatible one. */
function codeOf(status: number, word: string, message: string): ErrorCode | undefined {
  if (/^DataInspectionFailed$|^data_inspection_failed$|^IPInfringementSuspect$/.test(word))
    return "moderation_blocked";
  // A debt has the status of a mistake, and a free quota that is used up that of a refused key.
  if (/^Arrearage$|^AllocationQuota\.FreeTierOnly$/.test(word)) return "insufficient_quota";
  // A text that is too long has no code.
  if (status === 400 && /Range of input length should be \[\d+, ?\d+\]/.test(message))
    return "context_length_exceeded";
  return undefined;
}

/** The error in a reply whose status says that all is well: `{ "code", "message" }` in the place of a result. */
export function errorIn(document: unknown): GatewayError | undefined {
  const { code, message } = isObject(document) ? document : {};
  if (typeof code !== "string" || code === "") return undefined;
  return errorInReply({ code, message }, code, { read: readDashScopeError, statuses });
}

const statuses: StatusByWord = [
  [/^InvalidApiKey$/, 401],
  [/AccessDenied|^AllocationQuota/, 403],
  [/^ModelNotFound$|^Model\.NotExist$/, 404],
  [/^Throttling/, 429],
  [/^Invalid|^DataInspectionFailed$|^IPInfringementSuspect$|^Arrearage$/, 400],
];

/** Whether a failure is a mistake of the caller, and not of the service. */
export function isCallersMistake(failure: GatewayError | undefined): failure is GatewayError {
  return failure !== undefined && isCallerError(failure.code);
}
