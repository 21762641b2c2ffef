import { singular } from "./singular.js";
import { synonyms } from "./synonyms.js";

/** A motif found at some place among the words. */
export interface VocabularyMatch {
  readonly motif: string;
  readonly length: number;
  readonly plural: boolean;
}

export interface Vocabulary {
  /** The motif that the longest phrase from `start` on names. */
  find(words: readonly string[], start: number): VocabularyMatch | undefined;
}

const phraseWordsMax = 4;

/** The phrases that name motifs: each motif's own name, and the synonyms, which win. */
export function createVocabulary(motifs: Iterable<string>, emoji: ReadonlyMap<string, string>): Vocabulary {
  const exact = new Map<string, string>(emoji);
  const bySingular = new Map<string, string>();
  const known = new Set(motifs);
  const learn = (phrase: string, motif: string): void => {
    exact.set(phrase, motif);
    bySingular.set(singularPhrase(phrase), motif);
  };
  for (const motif of known) learn(motif.replaceAll("-", " "), motif);
  for (const [motif, phrases] of Object.entries(synonyms)) {
    if (known.has(motif)) for (const phrase of phrases.split(",")) learn(phrase, motif);
  }
  return {
    find(words, start) {
      for (let length = Math.min(phraseWordsMax, words.length - start); length > 0; length--) {
        const phrase = words.slice(start, start + length).join(" ");
        const named = exact.get(phrase);
        if (named !== undefined) return { motif: named, length, plural: false };
        const several = bySingular.get(singularPhrase(phrase));
        if (several !== undefined)
          return { motif: several, length, plural: singularPhrase(phrase) !== phrase };
      }
      return undefined;
    },
  };
}

/** Each word in the singular: "stacks of books" and "stack of book" must meet. */
export function singularPhrase(phrase: string): string {
  return phrase.split(" ").map(singular).join(" ");
}
