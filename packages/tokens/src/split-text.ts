import type { VocabularyName } from "@model-gateway/domain/model";
import {
  blank,
  caseless,
  letter,
  lowerCase,
  mark,
  newline,
  number,
  slash,
  space,
  symbol,
  upperCase,
} from "./character-classes.js";
import type { ClassifiedText } from "./classified-text.js";

/** The rules by which a vocabulary splits a text into pieces, which are encoded one by one. */
export interface Splitting {
  /** The end of the piece that begins at an index. */
  readonly pieceEnd: (scan: ClassifiedText, start: number) => number;
  /** The classes whose runs it skips. */
  readonly runs: readonly number[];
}

/** The classes of o200k that may begin a word, and those that may go on with it. */
const wordStart = upperCase | caseless | mark;
const wordRest = lowerCase | caseless | mark;
const lineEnd = newline | slash;

/**
 * The vocabularies define their pieces by regular expressions, which are in the comments below. On a long run these
 * backtrack, and cannot pause. The functions read no character more than a few times.
 */
export const splittings: Readonly<Record<VocabularyName, Splitting>> = {
  cl100k_base: { pieceEnd: endInCl100k, runs: [letter, symbol, newline, space, blank] },
  o200k_base: {
    pieceEnd: endInO200k,
    runs: [wordStart, wordRest, upperCase, symbol, lineEnd, space, blank],
  },
  p50k_base: { pieceEnd: endInR50k, runs: [letter, number, symbol, space] },
  r50k_base: { pieceEnd: endInR50k, runs: [letter, number, symbol, space] },
};

/**
 * `'(?:[sdmt]|ll|ve|re)` in either case, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n]*`, `\s+$`,
 * `\s*[\r\n]`, `\s+(?!\S)`, `\s`
 */
function endInCl100k(scan: ClassifiedText, start: number): number {
  const first = scan.classAt(start);
  if ((first & letter) !== 0) return scan.skip(start, letter);
  if ((first & number) !== 0) return endOfThree(scan, start);
  const contraction = endOfContraction(scan.text, start, inAnyCase);
  if (contraction > start) return contraction;
  const second = scan.after(start);
  if (first !== newline && (scan.classAt(second) & letter) !== 0) return scan.skip(second, letter);
  const symbols = isSpaceBar(scan, start) ? second : start;
  const symbolsEnd = scan.skip(symbols, symbol);
  if (symbolsEnd > symbols) return scan.skip(symbolsEnd, newline);
  const end = scan.skip(start, space);
  return end === scan.text.length
    ? end
    : (endOfLastNewline(scan, start, end) ?? endBeforeWord(scan, start, end));
}

/**
 * With `U` for `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `W` for `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` and `C` for the contractions above:
 * `[^\r\n\p{L}\p{N}]?U*W+C?`, `[^\r\n\p{L}\p{N}]?U+W*C?`, `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`,
 * `\s+(?!\S)`, `\s+`
 */
function endInO200k(scan: ClassifiedText, start: number): number {
  const first = scan.classAt(start);
  if ((first & number) !== 0) return endOfThree(scan, start);
  const word = endOfWord(scan, start, first);
  if (word > start) return Math.max(word, endOfContraction(scan.text, word, inAnyCase));
  const symbols = isSpaceBar(scan, start) ? scan.after(start) : start;
  const symbolsEnd = scan.skip(symbols, symbol);
  if (symbolsEnd > symbols) return scan.skip(symbolsEnd, lineEnd);
  const end = scan.skip(start, space);
  return endOfLastNewline(scan, start, end) ?? endBeforeWord(scan, start, end);
}

/** The end of an o200k word, or `start`. */
function endOfWord(scan: ClassifiedText, start: number, first: number): number {
  if ((first & letter) !== 0) {
    const end = endOfCasedWord(scan, start);
    return end > start ? end : scan.skip(start, wordStart);
  }
  if (first === newline) return start;
  const second = scan.after(start);
  const end = endOfCasedWord(scan, second);
  if (end > second) return end;
  // A mark that cannot precede a word begins one.
  return first === mark ? endOfCasedWord(scan, start) : endOfCapitals(scan, start, second);
}

/** `U*W+`, or `start`. `U*` leaves its last characters to `W+` where that would be empty. */
function endOfCasedWord(scan: ClassifiedText, start: number): number {
  const end = scan.skip(start, wordStart);
  return scan.classAt(end) === lowerCase ? scan.skip(end, wordRest) : scan.skipBack(end, start, upperCase);
}

/** `U+` at `capitals`, or `start`. */
function endOfCapitals(scan: ClassifiedText, start: number, capitals: number): number {
  const end = scan.skip(capitals, wordStart);
  return end > capitals ? end : start;
}

/** `'s|'t|'re|'ve|'m|'ll|'d`, ` ?\p{L}+`, ` ?\p{N}+`, ` ?[^\s\p{L}\p{N}]+`, `\s+(?!\S)`, `\s+` */
function endInR50k(scan: ClassifiedText, start: number): number {
  const contraction = endOfContraction(scan.text, start, inLowerCase);
  if (contraction > start) return contraction;
  const content = isSpaceBar(scan, start) ? scan.after(start) : start;
  const found = scan.classAt(content);
  if ((found & letter) !== 0) return scan.skip(content, letter);
  if ((found & number) !== 0) return scan.skip(content, number);
  if ((found & symbol) !== 0) return scan.skip(content, symbol);
  return endBeforeWord(scan, start, scan.skip(start, space));
}

function isSpaceBar({ text }: ClassifiedText, index: number): boolean {
  return text.charCodeAt(index) === 32;
}

function endOfThree(scan: ClassifiedText, start: number): number {
  let end = start;
  for (let count = 0; count < 3 && scan.classAt(end) === number; count += 1) end = scan.after(end);
  return end;
}

/** The bit that makes a capital small. */
const inAnyCase = 0x20;
const inLowerCase = 0;

const [apostrophe, s, d, m, t, l, v, r, e] = Array.from("'sdmtlvre", (character) => character.charCodeAt(0));

/** The end of `'s`, `'d`, `'m`, `'t`, `'ll`, `'ve` or `'re`, or `start`. */
function endOfContraction(text: string, start: number, caseBit: number): number {
  if (text.charCodeAt(start) !== apostrophe) return start;
  const first = text.charCodeAt(start + 1) | caseBit;
  if (first === s || first === d || first === m || first === t) return start + 2;
  const second = text.charCodeAt(start + 2) | caseBit;
  const isLong = (first === l && second === l) || ((first === v || first === r) && second === e);
  return isLong ? start + 3 : start;
}

/** The end of the last newline in white space. */
function endOfLastNewline(scan: ClassifiedText, start: number, end: number): number | undefined {
  const newlineEnd = scan.skipBack(end, start, blank);
  return newlineEnd > start ? newlineEnd : undefined;
}

/** White space leaves its last character to the next piece. */
function endBeforeWord({ text }: ClassifiedText, start: number, end: number): number {
  return end === text.length || end === start + 1 ? end : end - 1;
}
