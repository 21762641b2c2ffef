import { text } from "./text";

/**
 * Counts the numbers of a JSON array, without making numbers of them. Gives -1 where the text is no array of numbers, and
 * -2 where one of them is written so large, or with such an exponent, that a float32 might not hold it.
 * https://www.rfc-editor.org/rfc/rfc8259#section-6
 *
 * Most numbers are `-0.` and some digits. Whether there is a minus is anybody's guess, also the processor's, so that
 * nothing branches on it.
 */
export function countNumbers(length: i32): i32 {
  const last: usize = text + length - 1;
  // The bracket at the end is neither a digit nor a space, so that nothing below runs past it.
  if (length < 2 || load<u8>(text) !== openBracket || load<u8>(last) !== closeBracket) return -1;
  let at = skipSpace(text + 1);
  if (at === last) return 0;
  let count = 0;
  let isSmall = true;
  while (true) {
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
      else at -= 1; // The last digit stands for those of a fraction.
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
/** `0.` as two bytes are read. */
const zeroPoint: u16 = 0x2e30;

/** Without a fraction or an exponent, only what has more digits than this can be beyond float32. */
const wholeDigitsMax: usize = 30;

/** Where the digits end, eight at a time. */
function skipDigits(start: usize): usize {
  let at = start;
  let strangers = strangersIn(load<u64>(at));
  while (strangers === 0) {
    at += 8;
    strangers = strangersIn(load<u64>(at));
  }
  return at + (usize(ctz(strangers)) >> 3);
}

/** Digits are 0x30 to 0x39, which stay below 0x40 when six is added; nothing else does both. */
function strangersIn(word: u64): u64 {
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
