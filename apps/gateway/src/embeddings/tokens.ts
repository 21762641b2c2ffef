import type { EmbeddingModel, VocabularyName } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import { TimeSlice } from "../runtime/time-slice.js";

export interface Vocabulary {
  /** The text that token ids stand for. Refuses ids that stand for nothing. */
  textOf(ids: readonly number[]): string;
  countTokens(text: string): number;
}

export type OpenVocabulary = (name: VocabularyName) => Promise<Vocabulary>;

/** Reads a vocabulary when it is first needed: each is megabytes, and most gateways need none. */
export function createVocabularies(): OpenVocabulary {
  const opened = new Map<VocabularyName, Promise<Vocabulary>>();
  return (name) => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const opening = openVocabulary(name);
    opened.set(name, opening);
    return opening;
  };
}

async function openVocabulary(name: VocabularyName): Promise<Vocabulary> {
  const tokenizer = await import(`gpt-tokenizer/encoding/${name}`);
  return {
    textOf(ids) {
      try {
        return tokenizer.decode(ids);
      } catch (cause) {
        throw new GatewayError(
          "invalid_value",
          `Invalid 'input': it has a token id that ${name} does not know.`,
          {
            param: "input",
            cause,
          },
        );
      }
    },
    // Text that looks like a special token is text all the same.
    countTokens: (text) => tokenizer.countTokens(text, { disallowedSpecial: new Set() }),
  };
}

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
  const pacer = new TimeSlice();
  for (const [index, input] of inputs.entries()) {
    if (typeof input === "string") counts[index] = vocabulary.countTokens(input);
    if (pacer.isOver) await pacer.yield();
  }
  return counts;
}
