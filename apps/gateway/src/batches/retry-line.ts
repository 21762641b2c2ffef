import type { GatewayError } from "@model-gateway/domain/errors";
import { isRefusedForNow } from "../execution/detached-request.js";
import type { BatchEndpoint } from "./batch.js";

/** The end of a line, or the reason why it runs again. */
export type LineOutcome =
  | { readonly kind: "completed" | "failed" }
  /** The key works no longer, so no line can run. */
  | { readonly kind: "key refused"; readonly message: string }
  /** It runs again later. `counts`: only so often. */
  | { readonly kind: "again"; readonly counts: boolean; readonly afterMs: number };

const retryMsMin = 1000;
const retryMsMax = 60_000;

/**
 * Decides whether a line is done. A line that the gateway itself refuses for now may wait for as long as its batch. An
 * embedding is tried again after any failure of an upstream; an image only if nothing can have been bought.
 */
export function judgeError(error: GatewayError, endpoint: BatchEndpoint): LineOutcome {
  const { code, status, message, headers } = error;
  if (code === "invalid_api_key") return { kind: "key refused", message };
  if (code === "insufficient_quota") return { kind: "failed" };
  if (isRefusedForNow(error)) return { kind: "again", counts: false, afterMs: pauseOf(error) };
  const isOverload = status === 503 || status === 429;
  const isTransient = endpoint === "/v1/embeddings" ? isOverload || status >= 500 : isOverload;
  if (!isTransient || headers["x-should-retry"] === "false") return { kind: "failed" };
  return { kind: "again", counts: true, afterMs: pauseOf(error) };
}

function pauseOf({ retryAfterMs = retryMsMin }: GatewayError): number {
  return Math.min(retryMsMax, Math.max(retryMsMin, retryAfterMs));
}
