import type { CallContext } from "../../domain/call-context.js";
import type { EmbeddingModel, EmbeddingTarget } from "../../domain/model.js";
import type { EmbeddingBatch, Input } from "../../domain/requests.js";
import type { Vector } from "../../domain/vector.js";
import type { Dispatcher } from "../../scheduling/dispatch.js";
import { verifyEmbeddings } from "../verify.js";

/** Inputs that go upstream in one call. */
export interface Batch {
  readonly inputs: readonly Input[];
  /** All tokens together, or an upper bound. */
  readonly tokens: number;
  readonly context: CallContext;
}

/** What all batches of a coalescer have in common. */
export interface BatchRoute {
  readonly model: EmbeddingModel;
  readonly options: BatchOptions;
}

export type BatchOptions = Omit<EmbeddingBatch, "inputs" | "dimensionsField">;

/** Verified vectors in the order of the inputs. */
export interface BatchReply {
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  readonly target: EmbeddingTarget;
  readonly attempts: number;
}

/** Sends batches to the targets of a model. A reply that fails verification is a failure of its target. */
export class BatchSender {
  readonly #dispatcher: Pick<Dispatcher, "dispatch">;

  constructor(dispatcher: Pick<Dispatcher, "dispatch">) {
    this.#dispatcher = dispatcher;
  }

  async send({ inputs, tokens, context }: Batch, { model, options }: BatchRoute): Promise<BatchReply> {
    const { result, target, attempts } = await this.#dispatcher.dispatch({
      operation: "createEmbedding",
      model,
      context,
      tokens,
      request: (target) => batchFor(target, inputs, options),
      accept: async (reply) => ({
        vectors: await verifyEmbeddings(reply, {
          count: inputs.length,
          dimensions: options.dimensions,
          model,
        }),
        promptTokens: reply.promptTokens,
      }),
    });
    return { vectors: result.vectors, promptTokens: result.promptTokens, target, attempts };
  }
}

/** The request of one target: only the options it takes, under its own names for them. */
function batchFor(
  target: EmbeddingTarget,
  inputs: readonly Input[],
  { dimensions, encoding_format, user }: BatchOptions,
): EmbeddingBatch {
  const encoding = target.encoding ?? encoding_format;
  return {
    inputs,
    encoding_format: encoding === "none" ? undefined : encoding,
    dimensions: target.dimensions === "emulate" ? undefined : dimensions,
    dimensionsField: target.dimensionsField,
    user,
  };
}
