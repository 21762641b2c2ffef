import type { Dispatch } from "../scheduling/dispatch.js";
import type { SendPart } from "./embedder.js";
import { verifyEmbeddings } from "./verify.js";
import { fitWidth } from "./width.js";

/** Sends a part by way of the scheduler; an answer that does not hold is a failure of the target that gave it. */
export function createSendPart(dispatch: Dispatch): SendPart {
  return async ({ model, request }, signal) => {
    const { dimensions, ...rest } = request;
    const { result, upstream } = await dispatch({
      operation: "createEmbedding",
      model,
      request: (target) => (target.dimensions === "emulate" ? rest : request),
      accept: async (answer) => ({
        promptTokens: answer.promptTokens,
        vectors: await verifyEmbeddings(answer, {
          count: request.inputs.length,
          width: dimensions ?? model.dimensions,
          fit: (vector) => fitWidth(vector, dimensions, model),
        }),
      }),
      signal,
    });
    return { ...result, upstream };
  };
}
