import type { EmbeddingModel, VocabularyName } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import { TimeSlice } from "../runtime/time-slice.js";

export interface Vocabulary {
  /** The text that token ids stand for. Refuses ids that it does not have. */
  textOf(ids: readonly number[]): string;
  countTokens(text: string): number;
}

/** The vocabularies of token ids, by name. Loaded on demand: each has megabytes, and most gateways need none. */
export class Vocabularies {
  readonly #open = new Map<VocabularyName, Promise<Vocabulary>>();

  open(name: VocabularyName): Promise<Vocabulary> {
    const open = this.#open.get(name) ?? openVocabulary(name);
    this.#open.set(name, open);
    return open;
  }
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
          `Invalid 'input': it has a token id that ${name} does not have.`,
          {
            param: "input",
            cause,
          },
        );
      }
    },
    // Text that looks like a special token is ordinary text here.
    countTokens: (text) => tokenizer.countTokens(text, { disallowedSpecial: new Set() }),
  };
}

/**
 * How many tokens each input has, or an upper bound. A token is at least one byte in every vocabulary, so the bytes are a
 * safe bound. Tokens are counted exactly only where the bound would split a batch that may fit.
 */
export async function countTokens(
  inputs: readonly Input[],
  { model, maxTokens }: { model: EmbeddingModel; maxTokens: number },
  vocabularies: Vocabularies,
): Promise<number[]> {
  const counts = inputs.map((input) => (typeof input === "string" ? Buffer.byteLength(input) : input.length));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= maxTokens || model.tokenizer === undefined) return counts;
  const vocabulary = await vocabularies.open(model.tokenizer);
  const slice = new TimeSlice();
  for (const [index, input] of inputs.entries()) {
    if (typeof input === "string") counts[index] = vocabulary.countTokens(input);
    if (slice.isOver) await slice.yield();
  }
  return counts;
}
