import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";

type EmbeddingInput = Schemas["EmbeddingInput"];

/** The four shapes of `input` as a list. A flat array of token ids is one input. Empty ones are refused. */
export function readInputs(input: EmbeddingInput, maxInputs: number): readonly Input[] {
  const inputs: readonly Input[] = isOneInput(input) ? [input] : input;
  if (inputs.length > maxInputs) {
    throw new GatewayError(
      "array_above_max_length",
      `Invalid 'input': array length must be ${maxInputs} or less for this model, but it is ${inputs.length}.`,
      { param: "input" },
    );
  }
  // The spec refuses empty arrays; it leaves empty texts to us, because it would count every character of the others.
  if (inputs.includes("")) {
    throw new GatewayError("empty_string", "Invalid 'input': input cannot be an empty string.", {
      param: "input",
    });
  }
  return inputs;
}

function isOneInput(input: EmbeddingInput): input is string | number[] {
  return typeof input === "string" || typeof input[0] === "number";
}
