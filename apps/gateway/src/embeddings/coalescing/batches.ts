import { type EmbeddingModel, type EmbeddingTarget, targetKey } from "../../domain/model.js";
import { BatchTooLargeError } from "../../domain/requests.js";

/** How much one upstream call may carry. */
export interface BatchLimit {
  readonly maxInputs: number;
  readonly maxTokens: number;
}

/**
 * Splits a list, in its order, into batches that each fit into one call. An item that is too large alone gets a batch of
 * its own: the upstream refuses it with the better message.
 */
export function planBatches<T>(items: readonly T[], limit: BatchLimit, tokensOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let tokens = 0;
  for (const item of items) {
    const more = tokensOf(item);
    if (batch.length > 0 && (batch.length >= limit.maxInputs || tokens + more > limit.maxTokens)) {
      batches.push(batch);
      batch = [];
      tokens = 0;
    }
    batch.push(item);
    tokens += more;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** Limits that other replicas have learned. `SharedLimits` (`shared-limits.ts`) implements it. */
export interface LimitsOfOthers {
  /** Whether there are any: most gateways never learn a limit. */
  readonly isEmpty: boolean;
  of(target: EmbeddingTarget): BatchLimit | undefined;
  tell(target: EmbeddingTarget, limit: BatchLimit): void;
}

/** The batch limits of targets: those of the configuration, and smaller ones learned from refusals. */
export class LearnedLimits {
  readonly #learned = new Map<string, BatchLimit>();
  readonly #others: LimitsOfOthers | undefined;

  constructor(others?: LimitsOfOthers) {
    this.#others = others;
  }

  /** A batch must fit every target, since any of them may serve it. */
  of({ targets }: EmbeddingModel): BatchLimit {
    let maxInputs = Number.POSITIVE_INFINITY;
    let maxTokens = Number.POSITIVE_INFINITY;
    for (const target of targets) {
      const limit = this.#limitOf(target);
      maxInputs = Math.min(maxInputs, limit.maxInputs);
      maxTokens = Math.min(maxTokens, limit.maxTokens);
    }
    return { maxInputs, maxTokens };
  }

  /** Whether the failure taught a smaller limit, so that the same inputs may succeed in smaller batches. */
  learn(failure: unknown, inputCount: number): boolean {
    if (!(failure instanceof BatchTooLargeError) || failure.target === undefined || inputCount < 2)
      return false;
    const before = this.#limitOf(failure.target);
    const stated = failure.limit;
    // Without a stated limit below the size of this batch, the limit is half of it.
    const maxInputs =
      stated.maxInputs !== undefined && stated.maxInputs < inputCount
        ? Math.max(1, stated.maxInputs)
        : Math.ceil(inputCount / 2);
    const isAboutTokens =
      stated.maxInputs === undefined && stated.maxTokens !== undefined && stated.maxTokens < before.maxTokens;
    const learned = isAboutTokens
      ? { ...before, maxTokens: stated.maxTokens }
      : { ...before, maxInputs: Math.min(before.maxInputs, maxInputs) };
    this.#learned.set(targetKey(failure.target), learned);
    this.#others?.tell(failure.target, learned);
    return true;
  }

  #limitOf(target: EmbeddingTarget): BatchLimit {
    // Most gateways never learn a limit.
    const known = this.#learned.size === 0 ? undefined : this.#learned.get(targetKey(target));
    const heard = this.#others?.isEmpty === false ? this.#others.of(target) : undefined;
    return {
      maxInputs: Math.min(target.maxInputs, known?.maxInputs ?? Infinity, heard?.maxInputs ?? Infinity),
      maxTokens: Math.min(
        target.maxTokensPerRequest,
        known?.maxTokens ?? Infinity,
        heard?.maxTokens ?? Infinity,
      ),
    };
  }
}

/**
 * Divides the tokens that an upstream counted for a whole call among its inputs, in proportion to their weight. The
 * shares are whole numbers that add up to the total: no caller pays for rounding and no token is lost.
 */
export function divideUsage(total: number, weights: readonly number[]): number[] {
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
