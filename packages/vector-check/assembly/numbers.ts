import { blockBytes, skipPlainNumbers } from "./plain-numbers";
import { text } from "./text";

/**
 * Counts the numbers of a JSON array without parsing them. Returns -1 if the text is not an array of numbers, and -2 if the
 * digits or the exponent of a number may exceed float32. https://www.rfc-editor.org/rfc/rfc8259#section-6
 *
 * Most numbers are `-0.` and some digits. The processor cannot predict the minus, so the code does not branch on it.
 */
export function countNumbers(length: i32): i32 {
  const last: usize = text + length - 1;
  // The closing bracket is neither a digit nor a space, so no loop below runs past it.
  if (length < 2 || load<u8>(text) !== openBracket || load<u8>(last) !== closeBracket) return -1;
  let at = skipSpace(text + 1);
  if (at === last) return 0;
  let count = 0;
  let isSmall = true;
  let blocksFrom = at;
  let blocksApart = blockBytes;
  while (true) {
    if (at >= blocksFrom && last - at >= blockBytes) {
      const skipped = skipPlainNumbers(at, last);
      const numbers = i32(skipped >> 32);
      count += numbers;
      at = usize(u32(skipped));
      // Where blocks are of no use, they are tried less and less.
      blocksApart = numbers > 0 ? blockBytes : blocksApart * 2;
      blocksFrom = at + blocksApart;
      at = skipSpace(at);
    }
    count += 1;
    at += usize(load<u8>(at) === minus);
    if (load<u16>(at) === zeroPoint) at += 2;
    else {
      const whole = at;
      at = skipDigits(whole);
      const digits = at - whole;
      if (digits === 0 || (digits > 1 && load<u8>(whole) === zero)) return -1;
      if (digits > wholeDigitsMax) isSmall = false;
      if (load<u8>(at) === point) at += 1;
      else at -= 1; // There is no fraction: the last digit is read again in its place.
    }
    const fraction = at;
    at = skipDigits(fraction);
    if (at === fraction) return -1;
    let byte = load<u8>(at);
    if ((byte | 32) === letterE) {
      const sign = load<u8>(at + 1);
      if (sign !== minus) isSmall = false;
      const exponent = at + 1 + usize(sign === minus || sign === plus);
      at = skipDigits(exponent);
      if (at === exponent) return -1;
      byte = load<u8>(at);
    }
    if (byte !== comma) {
      at = skipSpace(at);
      byte = load<u8>(at);
      if (byte === closeBracket) return at === last ? (isSmall ? count : -2) : -1;
      if (byte !== comma) return -1;
    }
    at += 1;
    if (load<u8>(at) <= space) at = skipSpace(at);
  }
}

const openBracket: u8 = 0x5b;
const closeBracket: u8 = 0x5d;
const comma: u8 = 0x2c;
const minus: u8 = 0x2d;
const plus: u8 = 0x2b;
const point: u8 = 0x2e;
const zero: u8 = 0x30;
const letterE: u8 = 0x65;
const space: u8 = 0x20;
/** `0.` as a little-endian u16. */
const zeroPoint: u16 = 0x2e30;

/** A whole number with at most this many digits fits into float32. */
const wholeDigitsMax: usize = 30;

/** The end of the digits. Reads eight bytes at a time. */
function skipDigits(start: usize): usize {
  let at = start;
  let nonDigits = nonDigitsIn(load<u64>(at));
  while (nonDigits === 0) {
    at += 8;
    nonDigits = nonDigitsIn(load<u64>(at));
  }
  return at + (usize(ctz(nonDigits)) >> 3);
}

/** Only the digits, 0x30 to 0x39, have the upper half 3 both before and after adding six. */
function nonDigitsIn(word: u64): u64 {
  const zeros: u64 = 0x3030303030303030;
  return ((word ^ zeros) | ((word + 0x0606060606060606) ^ zeros)) & 0xf0f0f0f0f0f0f0f0;
}

function skipSpace(start: usize): usize {
  let at = start;
  while (isSpace(load<u8>(at))) at += 1;
  return at;
}

function isSpace(byte: u8): bool {
  return byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
