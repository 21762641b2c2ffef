import type { EmbeddingModel } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import type { OpenVocabulary } from "./tokens.js";

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

/**
 * Token ids mean something only in the vocabulary they come from: read in another, they are another text, and the
 * vector is wrong without anybody noticing. They pass to a model that declares the callers' vocabulary, become text
 * for one that does not, and are refused where nobody has said what they are.
 */
export function fitInputs(
  inputs: readonly Input[],
  model: EmbeddingModel,
  openVocabulary: OpenVocabulary,
): readonly Input[] | Promise<readonly Input[]> {
  if (inputs.every((input) => typeof input === "string")) return inputs;
  const { tokenizer, clientTokenizer = tokenizer } = model;
  if (tokenizer !== undefined && tokenizer === clientTokenizer) return inputs;
  if (clientTokenizer === undefined) {
    throw new GatewayError(
      "unsupported_value",
      `Invalid 'input': the model '${model.id}' does not take token ids; send text instead.`,
      { param: "input" },
    );
  }
  return openVocabulary(clientTokenizer).then((vocabulary) =>
    inputs.map((input) => (typeof input === "string" ? input : vocabulary.textOf(input))),
  );
}

/** The same for equal inputs; text and tokens are kept apart by their first letter. */
export function shareKey(input: Input): string {
  return typeof input === "string" ? `t${input}` : `n${input.join(",")}`;
}
