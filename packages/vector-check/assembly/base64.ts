import { text } from "./text";

/**
 * The number of bytes that a base64 text encodes. Returns -1 if the text is not base64 as in RFC 4648 §4, or if one of its
 * float32 values is 2^65 or more, which includes infinity and NaN. Sixteen letters are twelve bytes, or three numbers.
 */
export function base64Bytes(length: i32): i32 {
  if (length === 0 || length % 4 !== 0) return -1;
  const padding = paddingOf(text + length);
  const end: usize = text + length - padding;
  // Pads with the letter of zero, so that the last numbers are checked like the others.
  memory.fill(end, zeroLetter, 16);
  let invalid = i8x16.splat(0);
  let large = i16x8.splat(0);
  for (let at: usize = text; at < end; at += 16) {
    const letters = v128.load(at);
    const high = i8x16.shr_u(letters, 4);
    invalid = v128.or(invalid, invalidLetters(letters, high));
    large = v128.or(large, largeNumbers(letters, high));
  }
  if (v128.any_true(v128.or(invalid, large))) return -1;
  return (length / 4) * 3 - padding;
}

/** Whether a text has only base64 letters as in RFC 4648 §4. Padding does not count. */
export function hasBase64Letters(length: i32): bool {
  const end: usize = text + length;
  // Pads with a letter, since the last sixteen are checked like the others.
  memory.fill(end, zeroLetter, 16);
  let invalid = i8x16.splat(0);
  for (let at: usize = text; at < end; at += 16) {
    const letters = v128.load(at);
    invalid = v128.or(invalid, invalidLetters(letters, i8x16.shr_u(letters, 4)));
  }
  return !v128.any_true(invalid);
}

/**
 * Decodes letters in place: sixteen letters become twelve bytes, which never reach the letters that are read next.
 *
 * @param length A multiple of four. Every byte is a letter of base64.
 */
export function decodeLetters(length: i32): void {
  const end: usize = text + length;
  let to: usize = text;
  for (let at: usize = text; at < end; at += 16) {
    const letters = v128.load(at);
    const sixes = v128.and(sixBits(letters, i8x16.shr_u(letters, 4)), i8x16.splat(63));
    // The first of two letters is in the lower byte of a 16-bit lane.
    const twelves = v128.or(v128.and(i16x8.shl(sixes, 6), i16x8.splat(0xfc0)), i16x8.shr_u(sixes, 8));
    const lanes = i32x4.dot_i16x8_s(twelves, i16x8(4096, 1, 4096, 1, 4096, 1, 4096, 1));
    // The three bytes of each lane, highest first. The bytes behind them are overwritten next.
    v128.store(to, v128.shuffle<u8>(lanes, lanes, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 15, 15, 15, 15));
    to += 12;
  }
}

const zeroLetter: u8 = 0x41;
const padded: u8 = 0x3d;

function paddingOf(end: usize): i32 {
  if (load<u8>(end - 1) !== padded) return 0;
  return load<u8>(end - 2) === padded ? 2 : 1;
}

/**
 * The upper half of a byte puts it in one of four families: A to O and a to o (1), P to Z and p to z (2), digits (4), and
 * plus and slash (8). The byte is a letter of base64 if its lower half belongs to the same family.
 */
function invalidLetters(letters: v128, high: v128): v128 {
  const byHigh = i8x16(0, 0, 8, 4, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0);
  const byLow = i8x16(6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 3, 9, 1, 1, 1, 9);
  const low = v128.and(letters, i8x16.splat(15));
  const families = v128.and(i8x16.swizzle(byHigh, high), i8x16.swizzle(byLow, low));
  return i8x16.eq(families, i8x16.splat(0));
}

/**
 * A number is 2^65 or more if the two highest bits of its exponent are set. Each letter has six bits; for the three
 * numbers, those two bits are in letter 4, in letter 9, and in letters 14 and 15.
 */
function largeNumbers(letters: v128, high: v128): v128 {
  const values = sixBits(letters, high);
  const exponents = i16x8(0, 0, 0x0018, 0, 0x0600, 0, 0, 0x2001);
  // -1 never matches, so the other lanes are ignored.
  const large = i16x8(-1, -1, 0x0018, -1, 0x0600, -1, -1, 0x2001);
  return i16x8.eq(v128.and(values, exponents), large);
}

/** The value of each letter, in its six lowest bits. */
function sixBits(letters: v128, high: v128): v128 {
  // The distance of a letter from its value. Plus becomes 126 and slash saturates at 127: their six bits are right.
  const distances = i8x16(0, 0, 83, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  return i8x16.add_sat_s(letters, i8x16.swizzle(distances, high));
}
