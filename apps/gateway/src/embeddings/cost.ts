import type { Target } from "../domain/model.js";
import type { Price } from "../domain/price.js";
import type { Input } from "../domain/requests.js";
import { TimeSlice } from "../runtime/time-slice.js";
import { nanosPerToken } from "../usage/cost.js";
import { estimateTokens } from "../usage/usage-meter.js";

/** The prices of the targets that may embed a request's inputs. */
type PricedTargets = readonly { readonly price?: Price | undefined }[];

/** The cost of embedding in billionths of a US dollar; null if unknown. Zero tokens cost 0 at any price. */
export function embeddingCost(price: Price | undefined, tokens: number): number | null {
  if (tokens === 0) return 0;
  if (price === undefined || !("perMillionTokens" in price)) return null;
  return Math.round(tokens * price.perMillionTokens * nanosPerToken);
}

/** The same for a call to a target. A cost that it reports counts more than a list price, and less than the operator's. */
export function callCost(
  { price, isListPrice = false }: Pick<Target, "price" | "isListPrice">,
  tokens: number,
  reportedNanos?: number,
): number | null {
  if (reportedNanos !== undefined && (price === undefined || isListPrice)) return reportedNanos;
  return embeddingCost(price, tokens);
}

/** The cost at the most expensive target; null if no price is known. */
export function estimateEmbeddingCost(targets: PricedTargets, tokens: number): number | null {
  let dearest: number | null = null;
  for (const { price } of targets) {
    if (price === undefined || !("perMillionTokens" in price)) continue;
    dearest = Math.max(dearest ?? 0, Math.ceil(tokens * price.perMillionTokens * nanosPerToken));
  }
  return dearest;
}

/**
 * The cost that cached vectors have saved. Any of the targets could have created them, so the lowest price counts: the saving
 * is never overstated. Null if a price is unknown.
 */
export function savingOf(tokens: number, targets: PricedTargets): number | null {
  let lowest: number | null = null;
  for (const { price } of targets) {
    const cost = embeddingCost(price, tokens);
    if (cost === null) return null;
    lowest = Math.min(lowest ?? cost, cost);
  }
  return lowest;
}

/** Counts the tokens of `input` in all its forms, in time slices. A flat array of token ids is one input. */
export async function estimateInputTokens(input: Input | readonly Input[]): Promise<number> {
  if (typeof input === "string") return estimateTokens(input);
  let tokens = 0;
  const slice = new TimeSlice();
  for (const part of input) {
    if (typeof part === "number") tokens += 1;
    else tokens += typeof part === "string" ? estimateTokens(part) : part.length;
    if (typeof part === "string" && slice.isOver) await slice.yield();
  }
  return tokens;
}
