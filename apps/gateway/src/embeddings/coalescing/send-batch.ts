import type { EmbeddingTarget } from "../../domain/model.js";
import type { EmbeddingAnswer, EmbeddingPart, Input } from "../../domain/requests.js";
import type { Dispatch } from "../../scheduling/dispatch.js";
import { fitWidth } from "../dimensions.js";
import { verifyEmbeddings } from "../verify.js";
import type { PartAnswer } from "./coalescer.js";
import type { PartOptions, PartOrder, SendPart } from "./coalescers.js";

/** Sends a part by way of the scheduler; an answer that does not hold is a failure of the target that gave it. */
export function createSendPart(dispatch: Dispatch): SendPart {
  return async ({ inputs, caller, trace, tokens }, order, signal) => {
    const { model, options } = order;
    const { result, target, attempts } = await dispatch({
      operation: "createEmbedding",
      model,
      request: (target) => fitPart(inputs, options, target),
      accept: (answer) => accept(answer, inputs.length, order),
      caller,
      trace,
      tokens,
      signal,
    });
    const { vectors, promptTokens, memory } = result;
    return { vectors, promptTokens, memory, target, attempts };
  };
}

/** What this target is asked: only what it takes, under the names it has for it. */
function fitPart(
  inputs: readonly Input[],
  { dimensions, encoding_format, user }: PartOptions,
  target: EmbeddingTarget,
): EmbeddingPart {
  const encoding = target.encoding ?? encoding_format;
  return {
    inputs,
    encoding_format: encoding === "none" ? undefined : encoding,
    dimensions: target.dimensions === "emulate" ? undefined : dimensions,
    dimensionsField: target.dimensionsField,
    user,
  };
}

type Accepted = Pick<PartAnswer, "vectors" | "promptTokens" | "memory">;

function accept(
  answer: EmbeddingAnswer,
  count: number,
  { model, options }: PartOrder,
): Accepted | Promise<Accepted> {
  const { dimensions } = options;
  const { promptTokens } = answer;
  // Vectors that are shortened are in memory of their own.
  let memory = answer.memory;
  const verified = verifyEmbeddings(answer, {
    count,
    width: dimensions ?? model.dimensions,
    fit: (vector) => {
      const fitted = fitWidth(vector, dimensions, model);
      if (fitted !== vector) memory = undefined;
      return fitted;
    },
  });
  return verified instanceof Promise
    ? verified.then((vectors) => ({ vectors, promptTokens, memory }))
    : { vectors: verified, promptTokens, memory };
}
