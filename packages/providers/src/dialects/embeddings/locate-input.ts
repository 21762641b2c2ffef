import { GatewayError } from "@model-gateway/domain/errors";
import type { TextInput } from "@model-gateway/domain/requests";
import type { CreateEmbedding } from "../../provider.js";
import { aboutInput } from "./input-errors.js";

/** For an upstream whose refusal of a text that is too long does not say which one it is. */
export function withLocatedInputs(embed: CreateEmbedding): CreateEmbedding {
  return async (batch, call) => {
    try {
      return await embed(batch, call);
    } catch (failure) {
      throw await asLocatedError(failure, batch.inputs, (inputs) => embed({ ...batch, inputs }, call));
    }
  };
}

/** Sends some of the inputs again. */
type SendInputs = (inputs: readonly TextInput[]) => Promise<unknown>;

/**
 * Names the input of a batch that is too long, for upstreams whose refusal does not say which one it is. Halves of the
 * batch are sent until one input is left: all of them together are no more than the batch was. Any other failure is
 * returned as it is.
 */
export async function asLocatedError(
  failure: unknown,
  inputs: readonly TextInput[],
  send: SendInputs,
): Promise<unknown> {
  if (!isTooLong(failure) || failure.inputIndex !== undefined) return failure;
  const inputIndex = await locate(inputs, send);
  return inputIndex === undefined ? failure.with({ param: "input" }) : aboutInput(failure, inputIndex);
}

/** The first input that is too long; undefined if the upstream fails for another reason meanwhile. */
async function locate(inputs: readonly TextInput[], send: SendInputs): Promise<number | undefined> {
  let from = 0;
  let to = inputs.length;
  while (to - from > 1) {
    const middle = from + Math.ceil((to - from) / 2);
    try {
      await send(inputs.slice(from, middle));
      from = middle;
    } catch (failure) {
      if (!isTooLong(failure)) return undefined;
      to = middle;
    }
  }
  return from;
}

function isTooLong(failure: unknown): failure is GatewayError {
  return failure instanceof GatewayError && failure.code === "context_length_exceeded";
}
