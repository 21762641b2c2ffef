import type { CallContext } from "@model-gateway/domain/call-context";
import type { MediaTokens } from "@model-gateway/domain/media-input";
import type { CoalesceWindow, EmbeddingModel, EmbeddingTarget } from "@model-gateway/domain/model";
import type { FailedAttempt } from "@model-gateway/domain/request-failure";
import type { EmbeddingBatch, Input } from "@model-gateway/domain/requests";
import type { Vector } from "@model-gateway/domain/vector";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import { nanosPerUsd } from "../../usage/cost.js";
import { estimateInputTokens } from "../cost.js";
import { takesWidth } from "../dimensions.js";
import { verifyEmbeddings } from "../verify.js";

/** Inputs that go upstream in one call: texts, or contents. */
export interface InputBatch {
  readonly inputs: readonly Input[];
  /** All tokens together, or an upper bound. */
  readonly tokens: number;
  /** Whether a request does more with its vectors than to pass on their JSON text. */
  readonly needsNumbers: boolean;
  readonly context: CallContext;
}

/** Properties shared by all batches of a coalescer. */
export interface BatchRoute {
  readonly model: EmbeddingModel;
  readonly options: BatchOptions;
  /** Whether its inputs are contents. Undefined: they are texts. */
  readonly hasContent?: boolean;
  /** Whether its calls have the priority `bulk`. Undefined: they have not. */
  readonly isBulk?: boolean;
  /** Replaces the window of the model. */
  readonly coalesce?: CoalesceWindow | undefined;
}

/** `inputType` is the request's word, and each target has its own word for it. */
export type BatchOptions = Omit<EmbeddingBatch, "inputs" | "form" | "dimensionsField" | "inputTypeField">;

/** Verified vectors in the order of the inputs. */
export interface BatchReply {
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** Whether the upstream did not report them. */
  readonly tokensEstimated: boolean;
  /** How many of them are those of images. Undefined: the upstream does not report it. */
  readonly imageTokens?: number | undefined;
  /** The same for media, by kind. */
  readonly mediaTokens?: MediaTokens | undefined;
  /** The cost that the upstream reports, in billionths of a US dollar. Absent: it reports none. */
  readonly reportedNanos?: number | undefined;
  readonly target: EmbeddingTarget;
  readonly attempts: number;
  /** The calls that failed before. Undefined if none did. */
  readonly failedAttempts?: readonly FailedAttempt[] | undefined;
}

/** Sends batches to the targets of a model. A reply that fails verification is a failure of its target. */
export class BatchSender {
  readonly #dispatcher: Pick<Dispatcher, "dispatch">;

  constructor(dispatcher: Pick<Dispatcher, "dispatch">) {
    this.#dispatcher = dispatcher;
  }

  async send(
    { inputs, tokens, needsNumbers, context }: InputBatch,
    { model, options: given, hasContent }: BatchRoute,
  ): Promise<BatchReply> {
    const isAsGiven = needsNumbers || given.encoding_format === "float";
    const options: BatchOptions = isAsGiven ? given : { ...given, encoding_format: "float" };
    const { result, target, attempts, failedAttempts } = await this.#dispatcher.dispatch({
      operation: "createEmbedding",
      method: hasContent ? "createContentEmbedding" : undefined,
      model,
      context,
      tokens,
      request: (target) => batchFor(target, inputs, options),
      accept: async (reply, { normalizes }) => ({
        vectors: await verifyEmbeddings(reply, {
          count: inputs.length,
          dimensions: options.dimensions,
          outputDtype: options.outputDtype,
          model,
          normalizes,
        }),
        promptTokens: reply.promptTokens,
        imageTokens: reply.imageTokens,
        mediaTokens: reply.mediaTokens,
        reportedUsd: reply.reportedUsd,
      }),
    });
    const { vectors, promptTokens, imageTokens, mediaTokens, reportedUsd } = result;
    return {
      vectors,
      promptTokens: promptTokens ?? (await estimateInputTokens(inputs)),
      tokensEstimated: promptTokens === undefined,
      imageTokens,
      mediaTokens,
      reportedNanos: reportedUsd === undefined ? undefined : Math.round(reportedUsd * nanosPerUsd),
      target,
      attempts,
      failedAttempts,
    };
  }
}

/** The request of one target: only the options it takes, under its own names for them. */
export function batchFor<I extends Input>(
  target: EmbeddingTarget,
  inputs: readonly I[],
  { dimensions, encoding_format, outputDtype, inputType, user, extras }: BatchOptions,
): EmbeddingBatch<I> {
  const { encoding = encoding_format === "base64" ? "base64" : "none" } = target;
  return {
    inputs,
    form: target.inputImages?.form,
    encoding_format: encoding === "none" ? undefined : encoding,
    outputDtype,
    dimensions: takesWidth(target, dimensions) ? dimensions : undefined,
    dimensionsField: target.dimensionsField,
    inputType: inputType === undefined ? undefined : wordFor(inputType, target),
    inputTypeField: target.inputTypeField,
    user: target.takesUser ? user : undefined,
    extras,
  };
}

/** Undefined where the parameter is left out. */
function wordFor(inputType: string, { inputTypes }: EmbeddingTarget): string | undefined {
  return inputTypes === "as-is" ? inputType : (inputTypes?.get(inputType) ?? undefined);
}
