import type { EmbeddingTarget } from "../domain/model.js";
import type { EmbeddingPart } from "../domain/requests.js";
import type { Dispatch } from "../scheduling/dispatch.js";
import type { SendPart } from "./lanes.js";
import { verifyEmbeddings } from "./verify.js";
import { fitWidth } from "./width.js";

/** Sends a part by way of the scheduler; an answer that does not hold is a failure of the target that gave it. */
export function createSendPart(dispatch: Dispatch): SendPart {
  return async ({ model, request, caller, trace, tokens }, signal) => {
    const { dimensions } = request;
    const { result, target, attempts } = await dispatch({
      operation: "createEmbedding",
      model,
      request: (target) => fitPart(request, target),
      accept: async (answer) => ({
        promptTokens: answer.promptTokens,
        vectors: await verifyEmbeddings(answer, {
          count: request.inputs.length,
          width: dimensions ?? model.dimensions,
          fit: (vector) => fitWidth(vector, dimensions, model),
        }),
      }),
      caller,
      trace,
      tokens,
      signal,
    });
    return { ...result, target, attempts };
  };
}

/** What this target is asked: only what it takes, under the names it has for it. */
function fitPart(request: EmbeddingPart, target: EmbeddingTarget): EmbeddingPart {
  const { dimensions, encoding_format, ...rest } = request;
  const encoding = target.encoding ?? encoding_format;
  return {
    ...rest,
    ...(encoding === undefined || encoding === "none" ? {} : { encoding_format: encoding }),
    ...(dimensions === undefined || target.dimensions === "emulate" ? {} : { dimensions }),
    ...(target.dimensionsField === undefined ? {} : { dimensionsField: target.dimensionsField }),
  };
}
