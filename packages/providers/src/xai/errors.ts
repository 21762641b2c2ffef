import { readOpenAiError } from "../dialects/openai/errors.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";

/**
 * OpenAI's error object, `{"code", "error": "text"}` or `{"error": "text"}`. Only the text shows that the content was
 * refused, or the key: both have status 400.
 */
export function readXaiError(reply: ErrorReply): ReportedError {
  const reported = readOpenAiError(reply, { aspect_ratio: "size" });
  const { message = "" } = reported;
  if (/incorrect api key/i.test(message)) return { ...reported, code: "upstream_auth_error" };
  return /content moderation|content policy|usage guidelines/i.test(message)
    ? { ...reported, code: "moderation_blocked" }
    : reported;
}
