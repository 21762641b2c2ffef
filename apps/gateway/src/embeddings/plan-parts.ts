/** How much one upstream call may carry. */
export interface CallLimits {
  readonly maxInputs: number;
  readonly maxTokens: number;
}

/**
 * Splits a list, in its order, into parts that each fit into one call. An item that is too large alone still gets a
 * part of its own: the upstream is the one to refuse it.
 */
export function planParts<T>(items: readonly T[], limits: CallLimits, tokensOf: (item: T) => number): T[][] {
  const parts: T[][] = [];
  let part: T[] = [];
  let tokens = 0;
  for (const item of items) {
    const more = tokensOf(item);
    if (part.length > 0 && (part.length >= limits.maxInputs || tokens + more > limits.maxTokens)) {
      parts.push(part);
      part = [];
      tokens = 0;
    }
    part.push(item);
    tokens += more;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
