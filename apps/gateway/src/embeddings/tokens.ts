import type { VocabularyName } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import { TimeSlice } from "../runtime/time-slice.js";

export interface Vocabulary {
  /** The text that token ids stand for. Refuses ids that it does not have. */
  textOf(ids: readonly number[]): string;
  countTokens(text: string): number;
  /** Stops counting at the limit, so that a long text takes no longer than one that fits. */
  isWithin(text: string, maxTokens: number): boolean;
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

/** Text that looks like a special token is ordinary text here. */
const plainText = { disallowedSpecial: new Set<string>() };

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
    countTokens: (text) => tokenizer.countTokens(text, plainText),
    isWithin: (text, maxTokens) => tokenizer.isWithinTokenLimit(text, maxTokens, plainText) !== false,
  };
}

/** An upper bound: a token is at least one byte in every vocabulary. */
export function tokensMax({ input }: { readonly input: Input }): number {
  return typeof input === "string" ? Buffer.byteLength(input) : input.length;
}

/** Counts exactly. It takes time, so it is done only where the upper bound would split a batch that may fit. */
export async function countTokens(
  inputs: readonly { readonly input: Input }[],
  vocabulary: Vocabulary,
): Promise<number[]> {
  const counts: number[] = [];
  const slice = new TimeSlice();
  for (const { input } of inputs) {
    counts.push(typeof input === "string" ? vocabulary.countTokens(input) : input.length);
    if (slice.isOver) await slice.yield();
  }
  return counts;
}
