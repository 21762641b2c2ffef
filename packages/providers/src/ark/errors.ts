import type { ErrorCode, GatewayError } from "@model-gateway/domain/errors";
import { isObject } from "@model-gateway/runtime/json";
import { readOpenAiError } from "../dialects/openai/errors.js";
import { errorInReply, type StatusByWord } from "../http/errors/error-in-reply.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";

/** OpenAI's error object, with other words in it. https://www.volcengine.com/docs/82379/1299023 */
export function readArkError(reply: ErrorReply): ReportedError {
  const reported = readOpenAiError(reply);
  return { ...reported, code: codeOf(reported.word ?? "") ?? reported.code };
}

/** `InputTextSensitiveContentDetected`, `OutputImageSensitiveContentDetected.PolicyViolation` and the like. */
function codeOf(word: string): ErrorCode | undefined {
  if (/SensitiveContentDetected|RiskDetection$/.test(word)) return "moderation_blocked";
  // They have the status of a refused key, and that of throttling.
  if (/^AccountOverdue|^SetLimitExceeded$/.test(word)) return "insufficient_quota";
  return /^OutofContext/.test(word) ? "context_length_exceeded" : undefined;
}

/** The error in the place of an image, or of the whole reply: `{ "code", "message" }`. */
export function errorIn(error: unknown): GatewayError | undefined {
  const { code } = isObject(error) ? error : {};
  if (typeof code !== "string" || code === "") return undefined;
  return errorInReply({ error }, code, { read: readArkError, statuses });
}

const statuses: StatusByWord = [
  [/SensitiveContentDetected|RiskDetection$|^Invalid(Parameter|Argument|Image)|^MissingParameter/, 400],
  [/^Authentication/, 401],
  [/^AccountOverdue|^AccessDenied|^ServiceNotOpen/, 403],
  [/NotFound$/, 404],
  [/^RateLimitExceeded|^QuotaExceeded|^SetLimitExceeded|^ServerOverloaded/, 429],
];
