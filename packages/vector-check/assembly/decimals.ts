import { shortestDecimal } from "./shortest";
import { text } from "./text";

/** Output address of the text, behind the 4,096 numbers that the caller may write at `text`. */
export const decimalsText: usize = text + 4096 * 4;

/**
 * Writes float32 values as JSON numbers, each with a comma behind it. A number has the fewest digits that read back as
 * the same float32, in JavaScript's notation, and at most 22 letters.
 *
 * @param count The number of little-endian values that the caller has written at `text`. All are finite.
 * @returns The length of the text at `decimalsText`.
 */
export function writeNumbers(count: i32): i32 {
  const end: usize = text + (count << 2);
  let at = decimalsText;
  for (let from: usize = text; from < end; from += 4) {
    at = writeNumber(at, load<u32>(from));
    store<u8>(at, comma);
    at += 1;
  }
  return i32(at - decimalsText);
}

const comma: u8 = 0x2c;
const minus: u8 = 0x2d;
const plus: u8 = 0x2b;
const point: u8 = 0x2e;
const zero: u8 = 0x30;
const letterE: u8 = 0x65;
/** `0.` as a little-endian u16. */
const zeroPoint: u16 = 0x2e30;
const zeroPointZero: u32 = 0x302e30;
const zeros: u64 = 0x3030303030303030;

/** The bits of 1e-6 and 1: most numbers of a vector are between them. */
const smallestPlain: u32 = 0x358637bd;
const one: u32 = 0x3f800000;
/** Larger numbers are written with an exponent. */
const plainDigitsMax: i32 = 21;

/** The processor cannot predict the sign, so the code does not branch on it. */
function writeNumber(start: usize, bits: u32): usize {
  const magnitude = bits & 0x7fffffff;
  store<u8>(start, minus);
  const at: usize = start + (bits >> 31);
  if (magnitude === 0) return writeZero(at, bits !== 0);
  const decimal = shortestDecimal(magnitude);
  let digits = u32(decimal);
  let exponent = i32(decimal >> 32);
  while (digits % 10 === 0) {
    digits /= 10;
    exponent += 1;
  }
  if (magnitude < smallestPlain || magnitude >= one) return writeOther(at, digits, exponent);
  store<u16>(at, zeroPoint);
  v128.store(at + 2, lastDigits(digits, -exponent));
  return at + 2 - exponent;
}

/** A reader may take `-0` for a whole number, which has no sign. */
function writeZero(at: usize, isNegative: bool): usize {
  store<u32>(at, zeroPointZero);
  return at + (isNegative ? 3 : 1);
}

/** Numbers of 1 and above, and below 1e-6. */
function writeOther(at: usize, digits: u32, exponent: i32): usize {
  const count = digitCount(digits);
  const whole = count + exponent;
  v128.store(at, lastDigits(digits, count));
  if (whole <= 0 || whole > plainDigitsMax) return writeExponent(addPoint(at, 1, count), whole - 1);
  if (exponent < 0) return addPoint(at, whole, count);
  memory.fill(at + count, zero, exponent);
  return at + whole;
}

/** Moves the digits after the first few by one, for the decimal point. Without such digits there is none. */
function addPoint(at: usize, whole: i32, count: i32): usize {
  if (count === whole) return at + count;
  memory.copy(at + whole + 1, at + whole, count - whole);
  store<u8>(at + whole, point);
  return at + count + 1;
}

function writeExponent(at: usize, exponent: i32): usize {
  const size = u32(abs(exponent));
  const count = digitCount(size);
  store<u8>(at, letterE);
  store<u8>(at + 1, exponent < 0 ? minus : plus);
  v128.store(at + 2, lastDigits(size, count));
  return at + 2 + count;
}

function digitCount(digits: u32): i32 {
  let count = 1;
  for (let power: u32 = 10; count < 9 && digits >= power; power *= 10) count += 1;
  return count;
}

/** The last digits of a number with up to nine digits. Missing digits are zeros in front. */
function lastDigits(digits: u32, count: i32): v128 {
  const upper = digits / 100000000;
  const all = i64x2.replace_lane(i64x2.splat(zeros + (u64(upper) << 56)), 1, eightDigits(digits % 100000000));
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return i8x16.swizzle(all, i8x16.add(places, i8x16.splat(i8(16 - count))));
}

/** Splits a number in halves, the halves in pairs and the pairs in digits, all of a kind at once. */
function eightDigits(number: u32): u64 {
  const halves = u64(number / 10000) | (u64(number % 10000) << 32);
  const hundreds = ((halves * 10486) >> 20) & 0x0000007f0000007f;
  const pairs = hundreds | ((halves - hundreds * 100) << 16);
  const tens = ((pairs * 103) >> 10) & 0x000f000f000f000f;
  return (tens | ((pairs - tens * 10) << 8)) + zeros;
}
