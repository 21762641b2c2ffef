import { synonyms } from "./synonyms.js";

/** A motif found among the words. */
export interface VocabularyMatch {
  readonly motif: string;
  readonly length: number;
  readonly plural: boolean;
}

export interface Vocabulary {
  /** The motif that the longest phrase at `start` names. */
  find(words: readonly string[], start: number): VocabularyMatch | undefined;
}

const phraseWordsMax = 4;

/** Phrases to motifs: the names of the motifs, and the synonyms, which win. */
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

/** Every word in the singular, so that "stacks of books" matches "stack of book". */
export function singularPhrase(phrase: string): string {
  return phrase.split(" ").map(singular).join(" ");
}

const irregular: Readonly<Record<string, string>> = {
  children: "child",
  feet: "foot",
  geese: "goose",
  men: "man",
  mice: "mouse",
  oxen: "ox",
  people: "person",
  teeth: "tooth",
  women: "woman",
};

const rules: readonly (readonly [RegExp, string])[] = [
  [/(?:ss|us|is)$/, "$&"],
  [/(?<=.{2})ies$/, "y"],
  [/(?<=wol|lea|kni|hal|shel|loa|scar|thie)ves$/, "f"],
  [/(?<=ch|sh|s|x|z|tomato|potato|mango)es$/, ""],
  [/(?<=.{2})s$/, ""],
];

/** The singular of an English noun, by rule. It must only be consistent: motif names pass through it. */
function singular(word: string): string {
  const known = irregular[word];
  if (known !== undefined) return known;
  const rule = rules.find(([ending]) => ending.test(word));
  if (rule === undefined) return word;
  const stem = word.replace(rule[0], rule[1]);
  return stem === "knif" ? "knife" : stem;
}
