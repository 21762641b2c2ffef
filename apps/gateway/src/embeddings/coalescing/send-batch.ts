import type { EmbeddingTarget } from "../../domain/model.js";
import type { EmbeddingBatch, EmbeddingReply, Input } from "../../domain/requests.js";
import type { Dispatch } from "../../scheduling/dispatch.js";
import { fitWidth } from "../dimensions.js";
import { verifyEmbeddings } from "../verify.js";
import type { BatchReply } from "./coalescer.js";
import type { BatchOptions, BatchRoute, SendPart } from "./coalescers.js";

/** Sends a part by way of the scheduler; an answer that does not hold is a failure of the target that gave it. */
export function createSendPart(dispatch: Dispatch): SendPart {
  return async ({ inputs, caller, trace, tokens }, order, signal) => {
    const { model, options } = order;
    const { result, target, attempts } = await dispatch({
      operation: "createEmbedding",
      model,
      request: (target) => batchFor(inputs, options, target),
      accept: (answer) => accept(answer, inputs.length, order),
      caller,
      trace,
      tokens,
      signal,
    });
    const { vectors, promptTokens, buffers } = result;
    return { vectors, promptTokens, buffers, target, attempts };
  };
}

/** What this target is asked: only what it takes, under the names it has for it. */
function batchFor(
  inputs: readonly Input[],
  { dimensions, encoding_format, user }: BatchOptions,
  target: EmbeddingTarget,
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

type Accepted = Pick<BatchReply, "vectors" | "promptTokens" | "buffers">;

function accept(
  answer: EmbeddingReply,
  count: number,
  { model, options }: BatchRoute,
): Accepted | Promise<Accepted> {
  const { dimensions } = options;
  const { promptTokens } = answer;
  // Vectors that are shortened are in memory of their own.
  let buffers = answer.buffers;
  const verified = verifyEmbeddings(answer, {
    count,
    width: dimensions ?? model.dimensions,
    fit: (vector) => {
      const fitted = fitWidth(vector, dimensions, model);
      if (fitted !== vector) buffers = undefined;
      return fitted;
    },
  });
  return verified instanceof Promise
    ? verified.then((vectors) => ({ vectors, promptTokens, buffers }))
    : { vectors: verified, promptTokens, buffers };
}
