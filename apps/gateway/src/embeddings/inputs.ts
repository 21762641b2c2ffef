import type { EmbeddingModel } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import type { Vocabularies } from "./tokens.js";

type EmbeddingInput = Schemas["EmbeddingInput"];

/** The four forms of `input` as a list. A flat array of token ids is one input. Empty texts are refused. */
export function readInputs(input: EmbeddingInput, maxInputs: number): readonly Input[] {
  const inputs: readonly Input[] = isOneInput(input) ? [input] : input;
  if (inputs.length > maxInputs) {
    throw new GatewayError(
      "array_above_max_length",
      `Invalid 'input': array length must be ${maxInputs} or less for this model, but it is ${inputs.length}.`,
      { param: "input" },
    );
  }
  // The spec refuses empty arrays. It leaves empty texts to this check, since `minLength` counts every character.
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
 * Token ids are only valid in their own vocabulary: in another one they are another text, and the vector is wrong without
 * an error. They are passed to a model that declares the caller's vocabulary, decoded to text for a model with another
 * one, and refused where no vocabulary is declared.
 */
export async function translateTokens(
  inputs: readonly Input[],
  model: EmbeddingModel,
  vocabularies: Vocabularies,
): Promise<readonly Input[]> {
  const { tokenizer, clientTokenizer = tokenizer } = model;
  if (tokenizer !== undefined && tokenizer === clientTokenizer) return inputs;
  if (clientTokenizer === undefined) {
    throw new GatewayError(
      "unsupported_value",
      `Invalid 'input': the model '${model.id}' does not take token ids; send text instead.`,
      { param: "input" },
    );
  }
  const vocabulary = await vocabularies.open(clientTokenizer);
  return inputs.map((input) => (typeof input === "string" ? input : vocabulary.textOf(input)));
}

/** Equal inputs of one request are sent once. `indexes` has the index in `unique` of each input. */
export function deduplicate(inputs: readonly Input[]): {
  unique: readonly Input[];
  indexes: readonly number[];
} {
  if (inputs.length === 1) return { unique: inputs, indexes: onlyIndex };
  const known = new Map<string, number>();
  const unique: Input[] = [];
  const indexes = inputs.map((input) => {
    const key = inputKey(input);
    const index = known.get(key) ?? unique.push(input) - 1;
    known.set(key, index);
    return index;
  });
  return { unique, indexes };
}

const onlyIndex = [0];

/** Equal for equal inputs. The first letter keeps text and tokens apart. */
export function inputKey(input: Input): string {
  return typeof input === "string" ? `t${input}` : `n${input.join(",")}`;
}
