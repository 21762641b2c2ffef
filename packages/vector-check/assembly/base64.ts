import { text } from "./text";

/**
 * How many bytes a text of base64 stands for. Gives -1 where it can not tell: the text is not what RFC 4648 §4 has, or one
 * of its float32 is 2^65 or more, as infinity and what is no number are. Sixteen letters are twelve bytes, and those are
 * three numbers.
 */
export function base64Bytes(length: i32): i32 {
  if (length === 0 || length % 4 !== 0) return -1;
  const padding = paddingOf(text + length);
  const end: usize = text + length - padding;
  // The letter of zero, so that the last numbers are as good as those before.
  memory.fill(end, letterOfZero, 16);
  let strangers = i8x16.splat(0);
  let large = i16x8.splat(0);
  for (let at: usize = text; at < end; at += 16) {
    const letters = v128.load(at);
    const high = i8x16.shr_u(letters, 4);
    strangers = v128.or(strangers, strangersIn(letters, high));
    large = v128.or(large, largeIn(letters, high));
  }
  if (v128.any_true(v128.or(strangers, large))) return -1;
  return (length / 4) * 3 - padding;
}

const letterOfZero: u8 = 0x41;
const padded: u8 = 0x3d;

function paddingOf(end: usize): i32 {
  if (load<u8>(end - 1) !== padded) return 0;
  return load<u8>(end - 2) === padded ? 2 : 1;
}

/**
 * Letters come in four families, by the upper half of their bytes: A to O and a to o (1), P to Z and p to z (2), digits
 * (4), and plus and slash (8). A letter is what belongs to one of them by its lower half as well.
 */
function strangersIn(letters: v128, high: v128): v128 {
  const byHigh = i8x16(0, 0, 8, 4, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0);
  const byLow = i8x16(6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 3, 9, 1, 1, 1, 9);
  const low = v128.and(letters, i8x16.splat(15));
  const families = v128.and(i8x16.swizzle(byHigh, high), i8x16.swizzle(byLow, low));
  return i8x16.eq(families, i8x16.splat(0));
}

/**
 * A number is 2^65 or more if the two highest bits of its exponent are set. Of the three numbers, these are in the letters
 * 4, 9, and 14 and 15, each of which has six bits.
 */
function largeIn(letters: v128, high: v128): v128 {
  // How far a letter is from its value. Plus becomes 126 and slash the largest there is, 127: their six bits are right.
  const distances = i8x16(0, 0, 83, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  const values = i8x16.add_sat_s(letters, i8x16.swizzle(distances, high));
  const exponents = i16x8(0, 0, 0x0018, 0, 0x0600, 0, 0, 0x2001);
  // Where nothing is looked at, nothing is found.
  const large = i16x8(-1, -1, 0x0018, -1, 0x0600, -1, -1, 0x2001);
  return i16x8.eq(v128.and(values, exponents), large);
}
