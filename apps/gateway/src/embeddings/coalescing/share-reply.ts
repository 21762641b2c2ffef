import { isContent } from "@model-gateway/domain/requests";
import { divideUsage } from "./batches.js";
import type { FetchedVector, PendingInput } from "./pending-input.js";
import type { BatchReply } from "./send-batch.js";

/** The share of each input in a reply. */
export function shareReply(inputs: readonly PendingInput[], reply: BatchReply): FetchedVector[] {
  const { vectors, promptTokens, tokensEstimated, imageTokens, reportedNanos } = reply;
  const { target, attempts, failedAttempts } = reply;
  const weights = inputs.map(tokensOf);
  const tokens = divideUsage(promptTokens, weights);
  const costs = reportedNanos === undefined ? undefined : divideUsage(reportedNanos, weights);
  const ofImages = imageTokens === undefined ? undefined : divideUsage(imageTokens, inputs.map(imageBytesOf));
  return vectors.map((vector, index) => ({
    vector,
    tokens: tokens[index] ?? 0,
    tokensEstimated,
    imageTokens: ofImages?.[index],
    reportedNanos: costs?.[index],
    target,
    attempts,
    failedAttempts,
  }));
}

export function tokensOf({ request }: PendingInput): number {
  return request.tokens;
}

function imageBytesOf({ request: { input } }: PendingInput): number {
  return isContent(input) ? input.imageBytes : 0;
}
