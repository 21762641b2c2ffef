import { isObject } from "@model-gateway/runtime/json";
import { readOpenAiError } from "../dialects/openai/errors.js";
import { parseObject, textOf } from "../http/errors/read-error.js";
import { type ErrorReply, errorFromReply, type ReportedError } from "../http/errors/upstream-errors.js";

/** `{"error": {"code": 403, "message", "metadata"}}`. https://openrouter.ai/docs/api-reference/errors */
export function readOpenRouterError({ status, headers, body }: ErrorReply): ReportedError {
  const error = parseObject(body)?.error;
  if (!isObject(error)) return {};
  const metadata = isObject(error.metadata) ? error.metadata : {};
  const { message, param, code } = readHostError({ status, headers, body: textIn(metadata.raw) });
  // A list of reasons comes with a prompt or an image that its moderation has flagged.
  const isFlagged = Array.isArray(metadata.reasons);
  return {
    code: isFlagged ? "moderation_blocked" : code,
    message: isFlagged ? textOf(error.message) : (message ?? textOf(error.message)),
    param: param === undefined ? undefined : param,
    word: typeof error.code === "number" ? String(error.code) : textOf(error.code),
  };
}

/** The error of the model's host, which OpenRouter quotes. Only the caller's own mistakes are read from it. */
function readHostError(reply: ErrorReply): ReportedError {
  return reply.body === "" || reply.status !== 400 ? {} : readOpenAiError(reply);
}

function textIn(raw: unknown): string {
  if (typeof raw === "string") return raw;
  return isObject(raw) ? JSON.stringify(raw) : "";
}

/** A failure after the reply has begun comes with status 200, and has the status in its body. */
export function refuseReply(reply: unknown): void {
  const error = isObject(reply) ? reply.error : undefined;
  if (!isObject(error)) return;
  const status = typeof error.code === "number" ? error.code : 502;
  throw errorFromReply({ status, headers: {}, body: JSON.stringify({ error }) }, readOpenRouterError);
}
