/** The character classes of the vocabularies. Each is one bit. */
export const upperCase = 1;
export const lowerCase = 2;
/** A letter without case. */
export const caseless = 4;
/** A combining mark. */
export const mark = 8;
export const number = 16;
/** White space but for newlines. */
export const blank = 32;
/** `\r` or `\n`. */
export const newline = 64;
export const slash = 128;
const other = 256;

export const letter = upperCase | lowerCase | caseless;
export const space = blank | newline;
/** All that is neither a letter nor a number nor white space. */
export const symbol = mark | slash | other;

/** The classes of all characters. Each is found once: a regular expression takes ten times as long as a table. */
export class CharacterClasses {
  readonly #known = new Uint16Array(0x11_0000);

  /** The class of the character at an index. */
  at(text: string, index: number): number {
    const unit = text.charCodeAt(index);
    const codePoint = isHighSurrogate(unit) ? (text.codePointAt(index) ?? unit) : unit;
    return this.#known[codePoint] || this.#classify(codePoint);
  }

  #classify(codePoint: number): number {
    const character = String.fromCodePoint(codePoint);
    const found = patterns.find(([pattern]) => pattern.test(character))?.[1] ?? other;
    this.#known[codePoint] = found;
    return found;
  }
}

const patterns: readonly (readonly [RegExp, number])[] = [
  [/[\r\n]/u, newline],
  [/\s/u, blank],
  [/\//u, slash],
  [/\p{Ll}/u, lowerCase],
  [/[\p{Lu}\p{Lt}]/u, upperCase],
  [/[\p{Lm}\p{Lo}]/u, caseless],
  [/\p{M}/u, mark],
  [/\p{N}/u, number],
];

/** Whether the character at an index is a surrogate pair, which takes two units. */
export function isPair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index)) && (text.codePointAt(index) ?? 0) > 0xffff;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
