import { Tokenizer } from "@huggingface/tokenizers";

/** The token ids of a text, including special tokens. */
export type Tokenise = (text: string) => readonly number[];

/**
 * The library's token ids, in time linear in the text for BERT tokenizers. The library alone takes quadratic time in a
 * run of combining marks, and in each word up to 100 letters.
 */
export function openTokeniser(definition: TokeniserDefinition, settings: object): Tokenise {
  // Files often keep the truncation and padding of a training run (128 tokens for MiniLM).
  const tokeniser = new Tokenizer({ ...definition, truncation: null, padding: null }, settings);
  if (definition.model?.type === "WordPiece") boundWords(tokeniser.model);
  const stripsMarks = stripsAccents(definition.normalizer);
  return (text) => tokeniser.encode(stripsMarks ? breakMarkRuns(text) : text).ids;
}

/** The parts of `tokenizer.json` that decide which bounds apply. */
export interface TokeniserDefinition {
  readonly model?: { readonly type?: string };
  readonly normalizer?: {
    readonly type: string;
    readonly lowercase?: boolean;
    readonly strip_accents?: boolean | null;
  } | null;
}

/** The library's class. TypeScript cannot resolve the package's own declaration of it. */
interface WordPieceModel {
  readonly tokens_to_ids: ReadonlyMap<string, number>;
  readonly unk_token: string;
  readonly max_input_chars_per_word: number;
  readonly config: { readonly continuing_subword_prefix: string };
  encode: (words: readonly string[]) => string[];
}

function boundWords(model: WordPieceModel): void {
  const { tokens_to_ids: keys, unk_token: unknown, max_input_chars_per_word: wordLengthMax } = model;
  const pieces = { keys, prefix: model.config.continuing_subword_prefix, lengthMax: longestKey(keys) };
  model.encode = (words) =>
    words.flatMap((word) =>
      isLongerThan(word, wordLengthMax) ? unknown : (splitWord(word, pieces) ?? unknown),
    );
}

/** The tokens that a word can consist of. */
interface WordPieces {
  readonly keys: Pick<ReadonlyMap<string, unknown>, "has">;
  /** Before each token but the first of a word. */
  readonly prefix: string;
  /** No key is longer. */
  readonly lengthMax: number;
}

/**
 * WordPiece: the longest token first, or undefined if a part of the word is not a token. Unlike the library, it looks up no
 * string that is longer than every token, so each character costs `lengthMax` lookups at most.
 */
function splitWord(word: string, { keys, prefix, lengthMax }: WordPieces): string[] | undefined {
  const pieces: string[] = [];
  let start = 0;
  while (start < word.length) {
    const before = start === 0 ? "" : prefix;
    let end = Math.min(word.length, start + lengthMax - before.length);
    while (end > start && !keys.has(before + word.slice(start, end))) end -= 1;
    if (end <= start) return undefined;
    pieces.push(before + word.slice(start, end));
    start = end;
  }
  return pieces;
}

/**
 * Puts a combining grapheme joiner after each 30 combining marks: to put a run of n marks in order takes n² steps. The
 * normaliser removes the joiner with the other marks. It removes control characters before, so they do not end a run.
 * https://unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
function breakMarkRuns(text: string): string {
  return text.replace(/(?:\p{M}[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]*){30}/gu, "$&\u034f");
}

/** As the library decides it. */
function stripsAccents(normalizer: TokeniserDefinition["normalizer"]): boolean {
  if (normalizer?.type !== "BertNormalizer") return false;
  return normalizer.lowercase ? normalizer.strip_accents !== false : Boolean(normalizer.strip_accents);
}

function longestKey(keys: ReadonlyMap<string, unknown>): number {
  let longest = 0;
  for (const key of keys.keys()) longest = Math.max(longest, key.length);
  return longest;
}

/** Counts characters, not UTF-16 units. */
function isLongerThan(word: string, characters: number): boolean {
  return word.length > characters && [...word].length > characters;
}
