import type { EmbeddingModel, EmbeddingTarget, Target } from "../../domain/model.js";
import { BatchTooLargeError } from "../../domain/requests.js";

/** How much one upstream call may carry. */
export interface BatchLimit {
  readonly maxInputs: number;
  readonly maxTokens: number;
}

/**
 * Splits a list, in its order, into parts that each fit into one call. An item that is too large alone still gets a
 * part of its own: the upstream is the one to refuse it.
 */
export function planBatches<T>(
  items: readonly T[],
  limits: BatchLimit,
  tokensOf: (item: T) => number,
): T[][] {
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

/** How much the targets of a model take in one call: what the operator wrote, and what their refusals have taught. */
export interface LearnedLimits {
  of(model: EmbeddingModel): BatchLimit;
  /** Whether there was something to learn. */
  learn(failure: unknown, inputCount: number): boolean;
}

export function createLearnedLimits(): LearnedLimits {
  const learned = new Map<string, BatchLimit>();
  const of = (target: EmbeddingTarget): BatchLimit => {
    // Most upstreams have never taught anything.
    const known = learned.size === 0 ? undefined : learned.get(keyOf(target));
    return {
      maxInputs: Math.min(target.maxInputs, known?.maxInputs ?? Number.POSITIVE_INFINITY),
      maxTokens: Math.min(target.maxTokensPerRequest, known?.maxTokens ?? Number.POSITIVE_INFINITY),
    };
  };
  return {
    // A part must fit whichever target it is sent to.
    of: ({ targets }) => {
      let maxInputs = Number.POSITIVE_INFINITY;
      let maxTokens = Number.POSITIVE_INFINITY;
      for (const target of targets) {
        const limits = of(target);
        maxInputs = Math.min(maxInputs, limits.maxInputs);
        maxTokens = Math.min(maxTokens, limits.maxTokens);
      }
      return { maxInputs, maxTokens };
    },
    learn(failure, inputCount) {
      if (!(failure instanceof BatchTooLargeError) || failure.target === undefined || inputCount < 2)
        return false;
      const before = of(failure.target);
      const said = failure.limit;
      // A limit that does not make the part smaller teaches nothing, so the part is halved.
      const maxInputs =
        said.maxInputs !== undefined && said.maxInputs < inputCount
          ? Math.max(1, said.maxInputs)
          : Math.ceil(inputCount / 2);
      const isAboutTokens =
        said.maxInputs === undefined && said.maxTokens !== undefined && said.maxTokens < before.maxTokens;
      learned.set(
        keyOf(failure.target),
        isAboutTokens
          ? { ...before, maxTokens: said.maxTokens }
          : { ...before, maxInputs: Math.min(before.maxInputs, maxInputs) },
      );
      return true;
    },
  };
}

function keyOf({ upstream, model }: Target): string {
  return JSON.stringify([upstream, model]);
}

/**
 * Divides what an upstream counted for a whole call among its inputs, in proportion to their weight. The shares are
 * whole numbers and add up to the total, so that no caller pays for rounding and no token is lost.
 */
export function shareUsage(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((left, right) => left + right, 0) || 1;
  let given = 0;
  let passed = 0;
  return weights.map((weight) => {
    passed += weight;
    const share = Math.round((total * passed) / sum) - given;
    given += share;
    return share;
  });
}
