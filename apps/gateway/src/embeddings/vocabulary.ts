import type { VocabularyName } from "../domain/model.js";
import { GatewayError } from "../errors.js";

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
