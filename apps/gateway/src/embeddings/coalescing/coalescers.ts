import type { CallContext } from "../../domain/call-context.js";
import type { EmbeddingModel } from "../../domain/model.js";
import type { EmbeddingRequest } from "../../domain/requests.js";
import type { KeyedInput } from "../inputs.js";
import { countTokens, tokensMax, type Vocabularies } from "../tokens.js";
import type { LearnedLimits } from "./batches.js";
import { Coalescer } from "./coalescer.js";
import type { FetchedVector, InputRequest } from "./pending-input.js";
import type { BatchOptions, BatchSender } from "./send-batch.js";

export interface CoalescersOptions {
  readonly sender: Pick<BatchSender, "send">;
  readonly limits: LearnedLimits;
  readonly vocabularies: Vocabularies;
}

/** One coalescer for each model and set of options with requests in flight. */
export class Coalescers {
  readonly #options: CoalescersOptions;
  readonly #open = new Map<string, Coalescer>();

  constructor(options: CoalescersOptions) {
    this.#options = options;
  }

  /** Fetches vectors from calls in flight and from new ones, in the order of the inputs. */
  async fetch(
    inputs: readonly KeyedInput[],
    request: EmbeddingRequest,
    { model, context }: { model: EmbeddingModel; context: CallContext },
  ): Promise<FetchedVector[]> {
    const { limits, vocabularies } = this.#options;
    const { maxTokens } = limits.of(model);
    let tokens = inputs.map(tokensMax);
    if (sum(tokens) > maxTokens && model.tokenizer !== undefined)
      tokens = await countTokens(inputs, await vocabularies.open(model.tokenizer));
    context.signal.throwIfAborted();
    const requests = inputs.map(
      ({ key, input }, index): InputRequest => ({ key, input, tokens: tokens[index] ?? 1, context }),
    );
    return this.#coalescerOf(model, optionsOf(request, model)).fetch(requests, context.signal);
  }

  #coalescerOf(model: EmbeddingModel, options: BatchOptions): Coalescer {
    const key = coalescerKey(model, options);
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    const { limits, sender } = this.#options;
    const coalescer = new Coalescer({
      route: { model, options },
      limits,
      sender,
      onIdle: () => this.#open.delete(key),
    });
    this.#open.set(key, coalescer);
    return coalescer;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

/** The options that go upstream. A cache and a shared call need numbers, and base64 is their shorter form. */
function optionsOf(
  { dimensions, encoding_format = "float", user }: EmbeddingRequest,
  model: EmbeddingModel,
): BatchOptions {
  const needsNumbers = model.cache !== undefined || model.coalesce !== undefined;
  return {
    encoding_format: needsNumbers ? "base64" : encoding_format,
    // The native width is the default of every upstream.
    dimensions: dimensions === model.dimensions ? undefined : dimensions,
    user,
  };
}

/** Requests with the same key may share calls. Caller-controlled text goes last, so that it cannot forge another key. */
function coalescerKey(
  { id }: EmbeddingModel,
  { dimensions = 0, encoding_format, user }: BatchOptions,
): string {
  return `${id}\n${dimensions} ${encoding_format}${user === undefined ? "" : ` ${user}`}`;
}
