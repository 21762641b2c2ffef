import { type ContentInput, textsOf } from "@model-gateway/domain/content-input";
import { errorOf } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import { type Input, isContent } from "@model-gateway/domain/requests";
import { inSlices, type Steps, TimeSlice } from "@model-gateway/runtime/time-slice";
import { tokensMax, type Vocabularies } from "@model-gateway/tokens/tokens";
import type { Vocabulary } from "@model-gateway/tokens/vocabulary";
import type { KeyedInput } from "./inputs.js";

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
    if (
      tokensMax(keyed) > maxTokens &&
      (await inSlices(isTooLong(keyed.input, maxTokens, vocabulary), slice))
    ) {
      throw errorOf("context_length_exceeded", { param: "input", maxTokens }, { inputKey: keyed.key });
    }
    if (slice.isOver) await slice.yield();
  }
}

function* isTooLong(input: Input, maxTokens: number, vocabulary: Vocabulary | undefined): Steps<boolean> {
  if (isContent(input)) return yield* isContentTooLong(input, maxTokens, vocabulary);
  if (typeof input !== "string") return input.length > maxTokens;
  if (vocabulary === undefined) return yield* hasMoreWords(input, maxTokens);
  return (yield* vocabulary.countTokens(input, maxTokens)) === undefined;
}

/** Only texts are counted: the tokens of an image are its model's secret. */
function* isContentTooLong(
  input: ContentInput,
  maxTokens: number,
  vocabulary: Vocabulary | undefined,
): Steps<boolean> {
  for (const text of textsOf(input)) if (yield* isTooLong(text, maxTokens, vocabulary)) return true;
  return false;
}

const charactersPerStep = 16_384;

/** White space separates words. */
function* hasMoreWords(text: string, max: number): Steps<boolean> {
  let count = 0;
  for (let start = 0; start < text.length; start += charactersPerStep) {
    const part = text.slice(start, start + charactersPerStep);
    count += part.match(/\S+/g)?.length ?? 0;
    // A word that began in the part before was counted there.
    if (start > 0 && /^\S\S$/.test(text.slice(start - 1, start + 1))) count -= 1;
    if (count > max) return true;
    yield;
  }
  return false;
}
