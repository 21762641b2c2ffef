import type { ContentInput } from "@model-gateway/domain/content-input";
import {
  type EmbeddingModel,
  type EmbeddingTarget,
  type Target,
  targetKey,
} from "@model-gateway/domain/model";
import { BatchTooLargeError } from "@model-gateway/domain/requests";

/** Limits of one upstream call. */
interface BatchLimit extends LearnedLimit {
  readonly maxCharacters: number;
  /** For contents. Absent: their images have no limit. */
  readonly images?: { readonly maxCount: number; readonly maxBytes: number };
}

/** A limit that an upstream's refusal reveals. */
export interface LearnedLimit {
  readonly maxInputs: number;
  readonly maxTokens: number;
}

/** The size of one item in a batch. */
export interface ItemSize<T> {
  readonly tokensOf: (item: T) => number;
  readonly charactersOf: (item: T) => number;
  /** Undefined for a text. Absent: all are texts. */
  readonly contentOf?: (item: T) => ContentInput | undefined;
}

/**
 * Splits a list, in its order, into batches that each fit into one call. An item that is too large alone gets a
 * separate batch: the upstream refuses it with the better message.
 */
export function planBatches<T>(
  items: readonly T[],
  limit: BatchLimit,
  { tokensOf, charactersOf, contentOf }: ItemSize<T>,
): T[][] {
  const { images: imageLimit } = limit;
  const batches: T[][] = [];
  let batch: T[] = [];
  let tokens = 0;
  let characters = 0;
  let images = 0;
  let contentBytes = 0;
  for (const item of items) {
    const moreTokens = tokensOf(item);
    const moreCharacters = charactersOf(item);
    const more = imageLimit && contentOf?.(item);
    const isFull =
      batch.length >= limit.maxInputs ||
      tokens + moreTokens > limit.maxTokens ||
      characters + moreCharacters > limit.maxCharacters ||
      (more !== undefined &&
        imageLimit !== undefined &&
        (images + more.imageCount > imageLimit.maxCount ||
          contentBytes + more.contentBytes > imageLimit.maxBytes));
    if (batch.length > 0 && isFull) {
      batches.push(batch);
      batch = [];
      tokens = 0;
      characters = 0;
      images = 0;
      contentBytes = 0;
    }
    batch.push(item);
    tokens += moreTokens;
    characters += moreCharacters;
    images += more?.imageCount ?? 0;
    contentBytes += more?.contentBytes ?? 0;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** Defaults of `bulkMaxInputs`. Lines of a file need fewer, larger calls than requests that come by themselves. */
const defaultBulkMaxInputs = { requests: 64, lines: 128 };
/** Three seconds of a target's tokens. */
const bulkTokensShare = 1 / 20;

/** The limit of a bulk call: it is cut, so that an interactive call that must wait for one does not wait long. */
export function cutForBulk(
  limit: BatchLimit,
  { targets }: EmbeddingModel,
  source: keyof typeof defaultBulkMaxInputs = "requests",
): BatchLimit {
  let { maxInputs, maxTokens } = limit;
  for (const { bulkMaxInputs = defaultBulkMaxInputs[source], capacity } of targets) {
    maxInputs = Math.min(maxInputs, bulkMaxInputs);
    if (capacity.tokensPerMinute !== undefined)
      maxTokens = Math.min(maxTokens, Math.ceil(capacity.tokensPerMinute * bulkTokensShare));
  }
  return { ...limit, maxInputs, maxTokens };
}

/** The limit of a call with contents. */
export function withImageLimits(limit: BatchLimit, { inputImages }: EmbeddingModel): BatchLimit {
  if (inputImages === undefined) return limit;
  const { maxInputs, maxImagesPerRequest: maxCount, maxImageBytesPerRequest: maxBytes } = inputImages;
  return { ...limit, maxInputs: Math.min(limit.maxInputs, maxInputs), images: { maxCount, maxBytes } };
}

/** Limits that other replicas have learned. `SharedBatchLimits` (`shared-batch-limits.ts`) implements it. */
export interface LimitsOfOthers {
  /** Whether it is empty: most gateways never learn a limit. */
  readonly isEmpty: boolean;
  of(target: EmbeddingTarget): LearnedLimit | undefined;
  publish(target: EmbeddingTarget, limit: LearnedLimit): void;
}

/** A batch that was refused: how many inputs it had, and their tokens or an upper bound of them. */
interface RefusedBatch {
  readonly inputs: number;
  readonly tokens: number;
  /** Whether its inputs are contents: nothing is learned from them about texts. Undefined: they are texts. */
  readonly hasContent?: boolean | undefined;
}

/** The inputs that a limit is for: texts, unless it has content. */
interface InputScope {
  readonly hasContent?: boolean | undefined;
}

const texts: InputScope = {};

function learnedKey(target: Target, hasContent: boolean): string {
  return hasContent ? `${targetKey(target)} with content` : targetKey(target);
}

const learnedMax = 1000;

/** The batch limits of targets: configured ones, and smaller ones learned from refusals. */
export class LearnedLimits {
  #learned = new Map<string, LearnedLimit>();
  readonly #others: LimitsOfOthers | undefined;

  constructor(others?: LimitsOfOthers) {
    this.#others = others;
  }

  /** A batch must fit every target, since any of them may serve it. */
  of({ targets }: EmbeddingModel, { hasContent = false }: InputScope = texts): BatchLimit {
    let maxInputs = Number.POSITIVE_INFINITY;
    let maxTokens = Number.POSITIVE_INFINITY;
    let maxCharacters = Number.POSITIVE_INFINITY;
    for (const target of targets) {
      const limit = this.#limitOf(target, hasContent);
      maxInputs = Math.min(maxInputs, limit.maxInputs);
      maxTokens = Math.min(maxTokens, limit.maxTokens);
      maxCharacters = Math.min(maxCharacters, target.maxCharactersPerRequest);
    }
    return { maxInputs, maxTokens, maxCharacters };
  }

  /** Whether the failure taught a smaller limit, so that the same inputs may succeed in smaller batches. */
  learn(failure: unknown, batch: RefusedBatch): boolean {
    if (!(failure instanceof BatchTooLargeError) || failure.target === undefined || batch.inputs < 2)
      return false;
    const { hasContent = false } = batch;
    const before = this.#limitOf(failure.target, hasContent);
    const learned = smallerLimit(failure.limit, batch, before);
    this.#learned.set(learnedKey(failure.target, hasContent), learned);
    // Targets behind a pattern are without number. A limit that is forgotten is learned again.
    const [oldest] = this.#learned.keys();
    if (this.#learned.size > learnedMax && oldest !== undefined) this.#learned.delete(oldest);
    if (!hasContent) this.#others?.publish(failure.target, learned);
    return true;
  }

  /** Keeps learned limits when the configuration changes, except for removed targets and changed upstreams. */
  adopt(targets: readonly Target[], changedUpstreams: ReadonlySet<string>): void {
    const kept = targets
      .filter(({ upstream }) => !changedUpstreams.has(upstream))
      .flatMap((target) => [learnedKey(target, false), learnedKey(target, true)]);
    this.#learned = new Map([...this.#learned].filter(([key]) => kept.includes(key)));
  }

  #limitOf(target: EmbeddingTarget, hasContent: boolean): LearnedLimit {
    // Most gateways never learn a limit.
    const known = this.#learned.size === 0 ? undefined : this.#learned.get(learnedKey(target, hasContent));
    const received = this.#others?.isEmpty === false && !hasContent ? this.#others.of(target) : undefined;
    return {
      maxInputs: Math.min(target.maxInputs, known?.maxInputs ?? Infinity, received?.maxInputs ?? Infinity),
      maxTokens: Math.min(
        target.maxTokensPerRequest,
        known?.maxTokens ?? Infinity,
        received?.maxTokens ?? Infinity,
      ),
    };
  }
}

/** Without a stated limit below the batch size, the limit is half of it. */
function smallerLimit(
  stated: BatchTooLargeError["limit"],
  { inputs, tokens }: RefusedBatch,
  before: LearnedLimit,
): LearnedLimit {
  if (stated.maxInputs === undefined && stated.maxTokens !== undefined && stated.maxTokens < before.maxTokens)
    return { ...before, maxTokens: stated.maxTokens };
  if (stated.isAboutTokens === true)
    return { ...before, maxTokens: Math.max(1, Math.min(before.maxTokens, Math.ceil(tokens / 2))) };
  const maxInputs =
    stated.maxInputs !== undefined && stated.maxInputs < inputs
      ? Math.max(1, stated.maxInputs)
      : Math.ceil(inputs / 2);
  return { ...before, maxInputs: Math.min(before.maxInputs, maxInputs) };
}

/**
 * Divides the tokens or the cost that an upstream reported for a whole call among its inputs, in proportion to their
 * weight. The shares are whole numbers that add up to the total: no caller pays for rounding and nothing is lost.
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
