import { type ContentInput, imagesOf, mediaOf } from "@model-gateway/domain/content-input";
import { type MediaKind, type MediaTokens, mediaKinds } from "@model-gateway/domain/media-input";
import { isContent } from "@model-gateway/domain/requests";
import { divideUsage } from "./batches.js";
import type { FetchedVector, PendingInput } from "./pending-input.js";
import type { BatchReply } from "./send-batch.js";

/** The share of each input in a reply. */
export function shareReply(inputs: readonly PendingInput[], reply: BatchReply): FetchedVector[] {
  const { vectors, promptTokens, tokensEstimated, imageTokens, mediaTokens, reportedNanos } = reply;
  const { target, attempts, failedAttempts } = reply;
  const weights = inputs.map(tokensOf);
  const tokens = divideUsage(promptTokens, weights);
  const costs = reportedNanos === undefined ? undefined : divideUsage(reportedNanos, weights);
  const ofImages = imageTokens === undefined ? undefined : divideUsage(imageTokens, inputs.map(imageBytesOf));
  const ofMedia = mediaTokens === undefined ? undefined : shareMedia(inputs, mediaTokens);
  return vectors.map((vector, index) => ({
    vector,
    tokens: tokens[index] ?? 0,
    tokensEstimated,
    imageTokens: ofImages?.[index],
    mediaTokens: ofMedia?.[index],
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
  if (!isContent(input)) return 0;
  return imagesOf(input).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** In proportion to the bytes of the kind. */
function shareMedia(inputs: readonly PendingInput[], tokens: MediaTokens): MediaTokens[] {
  const shares: Partial<Record<MediaKind, number>>[] = inputs.map(() => ({}));
  for (const kind of mediaKinds) {
    const total = tokens[kind];
    if (total === undefined) continue;
    const bytes = inputs.map(({ request: { input } }) => (isContent(input) ? bytesOfKind(input, kind) : 0));
    for (const [index, share] of divideUsage(total, bytes).entries()) {
      const mine = shares[index];
      if (mine !== undefined) mine[kind] = share;
    }
  }
  return shares;
}

function bytesOfKind(input: ContentInput, kind: MediaKind): number {
  return mediaOf(input).reduce((sum, media) => sum + (media.kind === kind ? media.bytes : 0), 0);
}
