import { expect } from "vitest";
import type { SaysError } from "./contract.js";

/** Errors in the form of other APIs have no code. Their text must still be about the fault. */
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

export interface Sentences {
  /** The expected error, by a part of its text. */
  readonly saysSentence: (part: string) => ReturnType<SaysError>;
  /** The same by its code. */
  readonly saysError: SaysError;
}

/**
 * The errors of another API.
 *
 * @param bodyOf The whole body with this text, and nothing else.
 */
export function sentencesIn(bodyOf: (message: string) => object): Sentences {
  const saysSentence: Sentences["saysSentence"] = (part) => (body) =>
    expect(body).toEqual(bodyOf(expect.stringContaining(part)));
  return { saysSentence, saysError: (code) => saysSentence(messages[code] ?? code) };
}
