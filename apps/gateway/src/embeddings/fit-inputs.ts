import type { EmbeddingModel } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { OpenVocabulary } from "./vocabulary.js";

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
