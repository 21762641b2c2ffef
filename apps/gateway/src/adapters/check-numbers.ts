/**
 * Counts the numbers in the text of a JSON array, without making numbers of them. Gives undefined where the text is
 * not a JSON array of numbers that a float32 can hold. Every float answer goes through here byte by byte: this is one
 * loop because calls would cost as much as the work, and it takes digits eight at a time.
 * https://www.rfc-editor.org/rfc/rfc8259#section-6
 */
export function countNumbers(text: Buffer): number | undefined {
  const last = text.length - 1;
  // The bracket at the end is neither a digit nor a space, so that nothing below runs past it.
  if (last < 1 || text[last] !== closeBracket) return undefined;
  const view = new DataView(text.buffer, text.byteOffset, text.byteLength);
  // Asked for once: V8 does not inline the length of a view.
  const wordsEnd = text.length - 8;
  let at = skipSpace(text, 1);
  if (at === last) return 0;
  for (let count = 1; ; count += 1) {
    const start = at;
    if (text[at] === minus) at += 1;
    const whole = at;
    at = text[at] === zero ? at + 1 : skipDigits(view, at, wordsEnd);
    const wholeDigits = at - whole;
    if (wholeDigits === 0) return undefined;
    let byte = text[at];
    if (byte === dot) {
      const fraction = at + 1;
      at = skipDigits(view, fraction, wordsEnd);
      if (at === fraction) return undefined;
      byte = text[at];
    }
    // Only a number that is written very large or with an exponent can be beyond float32.
    if (byte === lowerE || byte === upperE || wholeDigits > 30) {
      at = byte === lowerE || byte === upperE ? endOfExponent(view, at + 1, wordsEnd) : at;
      if (at === -1 || !isFloat32(text, start, at)) return undefined;
      byte = text[at];
    }
    if (byte !== comma && byte !== closeBracket) {
      at = skipSpace(text, at);
      byte = text[at];
    }
    if (byte === closeBracket) return at === last ? count : undefined;
    if (byte !== comma) return undefined;
    at += 1;
    if ((text[at] ?? 0) <= space) at = skipSpace(text, at);
  }
}

const comma = 44;
const closeBracket = 93;
const space = 32;
const minus = 45;
const plus = 43;
const dot = 46;
const zero = 48;
const upperE = 69;
const lowerE = 101;

/** Where the digits end. The closing bracket of the array is none, so that there always is such a place. */
function skipDigits(view: DataView, start: number, wordsEnd: number): number {
  let at = start;
  for (; at <= wordsEnd; at += 8) {
    const first = strangersIn(view.getInt32(at, true));
    const second = strangersIn(view.getInt32(at + 4, true));
    if ((first | second) !== 0)
      return first === 0 ? at + 4 + firstStranger(second) : at + firstStranger(first);
  }
  for (let byte = view.getUint8(at); byte >= zero && byte <= 57; byte = view.getUint8(at)) at += 1;
  return at;
}

/** Digits are 0x30 to 0x39, which stay below 0x40 when six is added; nothing else does both. */
function strangersIn(word: number): number {
  return ((word ^ 0x30303030) | ((word + 0x06060606) ^ 0x30303030)) & 0xf0f0f0f0;
}

/** The lowest bit that is set belongs to the first byte that is no digit. */
function firstStranger(strangers: number): number {
  return (31 - Math.clz32(strangers & -strangers)) >> 3;
}

/** -1 where there is no exponent. */
function endOfExponent(view: DataView, start: number, wordsEnd: number): number {
  const sign = view.getUint8(start);
  const digits = sign === plus || sign === minus ? start + 1 : start;
  const end = skipDigits(view, digits, wordsEnd);
  return end === digits ? -1 : end;
}

function isFloat32(text: Buffer, start: number, end: number): boolean {
  return Number.isFinite(Math.fround(Number(text.toString("latin1", start, end))));
}

function skipSpace(text: Buffer, start: number): number {
  let at = start;
  for (let byte = text[at]; byte === space || byte === 10 || byte === 13 || byte === 9; byte = text[at])
    at += 1;
  return at;
}
