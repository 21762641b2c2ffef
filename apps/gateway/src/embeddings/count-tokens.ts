import type { EmbeddingModel } from "../domain/model.js";
import { Pacer } from "../domain/pacer.js";
import type { Input } from "../domain/requests.js";
import type { OpenVocabulary } from "./vocabulary.js";

/**
 * How many tokens each input has, or at most has. A token is at least one byte in every vocabulary, so bytes are a safe
 * estimate; they are counted truly only where the estimate would split a batch that may not need it.
 */
export function countTokens(
  inputs: readonly Input[],
  { model, maxTokens }: { model: EmbeddingModel; maxTokens: number },
  openVocabulary: OpenVocabulary,
): number[] | Promise<number[]> {
  const estimates = inputs.map((input) =>
    typeof input === "string" ? Buffer.byteLength(input) : input.length,
  );
  const total = estimates.reduce((sum, count) => sum + count, 0);
  if (total <= maxTokens || model.tokenizer === undefined) return estimates;
  return countTruly(inputs, estimates, openVocabulary(model.tokenizer));
}

async function countTruly(
  inputs: readonly Input[],
  counts: number[],
  opening: ReturnType<OpenVocabulary>,
): Promise<number[]> {
  const vocabulary = await opening;
  const pacer = new Pacer();
  for (const [index, input] of inputs.entries()) {
    if (typeof input === "string") counts[index] = vocabulary.countTokens(input);
    if (pacer.isDue) await pacer.rest();
  }
  return counts;
}
