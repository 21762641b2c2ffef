import { expect } from "vitest";
import type { AliasOptions } from "../alias-cases.js";

/** Ollama's errors have no code. Their text must still be about the fault. */
const messages: Readonly<Record<string, string>> = {
  invalid_api_key: "API key",
  model_not_allowed: "may not call the model",
  model_not_found: "does not exist",
  space_mismatch: "vectors of the space",
  content_too_large: "larger than the limit",
  unsupported_content_type: "content type",
  rate_limit_exceeded: "requests",
  insufficient_quota: "budget",
  // The upstream's words are passed on.
  upstream_rejected: "Scripted failure 400.",
  internal_error: "The gateway had an error",
  upstream_error: "upstream",
  upstream_unavailable: "upstream",
  upstream_timeout: "did not reply within",
  storage_unavailable: "database",
};

/** The body is a sentence and nothing else. */
export const saysOllamaError: AliasOptions["says"] = (code) => saysSentence(messages[code] ?? code);

export function saysSentence(part: string): ReturnType<AliasOptions["says"]> {
  return (body) => expect(body).toEqual({ error: expect.stringContaining(part) });
}
