import type { EmbeddingModel } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import { TimeSlice } from "../runtime/time-slice.js";
import type { KeyedInput } from "./inputs.js";
import { tokensMax, type Vocabularies, type Vocabulary } from "./tokens.js";

/**
 * Refuses an input that has more tokens than the model takes. With a known vocabulary the tokens are counted. Without one
 * only a text with more words than that is refused, since every word is at least one token; the upstream refuses the
 * rest, or its provider counts them (decision 0045). No text that fits is refused.
 */
export async function checkLengths(
  inputs: readonly KeyedInput[],
  { maxTokens = Number.POSITIVE_INFINITY, tokenizer }: EmbeddingModel,
  vocabularies: Vocabularies,
): Promise<void> {
  const vocabulary = tokenizer && (await vocabularies.open(tokenizer));
  const slice = new TimeSlice();
  for (const keyed of inputs) {
    // A text of fewer bytes always fits.
    if (tokensMax(keyed) > maxTokens && isTooLong(keyed.input, maxTokens, vocabulary)) {
      const error = new GatewayError(
        "context_length_exceeded",
        `Invalid 'input': it has more than ${maxTokens} tokens, which is the most that this model takes.`,
        { param: "input" },
      );
      error.inputKey = keyed.key;
      throw error;
    }
    if (slice.isOver) await slice.yield();
  }
}

function isTooLong(input: Input, maxTokens: number, vocabulary: Vocabulary | undefined): boolean {
  if (typeof input !== "string") return input.length > maxTokens;
  if (vocabulary !== undefined) return !vocabulary.isWithin(input, maxTokens);
  return hasMoreWords(input, maxTokens);
}

/** Words are what white space separates. */
function hasMoreWords(text: string, max: number): boolean {
  const word = /\S+/g;
  for (let count = 0; word.test(text); count += 1) if (count >= max) return true;
  return false;
}
