/**
 * Skips numbers in blocks of 64 bytes, with one bit for each byte. It knows the numbers that most vectors have: one digit
 * before the point, no exponent, and spaces only in front. It ends at a block with anything else, which may be valid.
 *
 * @param start Where a number begins.
 * @param end Nothing is read from there on.
 * @returns The address behind the last comma that was skipped, and in the upper half the count of the commas.
 */
export function skipPlainNumbers(start: usize, end: usize): u64 {
  let at = start;
  let count: u64 = 0;
  // For the first byte of a block: whether the last byte of the one before was a comma or space, a minus, and so on.
  let carriedLead: u64 = 1;
  let carriedMinus: u64 = 0;
  let carriedFirst: u64 = 0;
  let carriedPoint: u64 = 0;
  while (at + blockBytes <= end) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    // Of the bytes from comma to nine, digits have bit 4, minus has bit 0, point has bit 1, and comma has none of them.
    let others = ~lanes(i16x8.shl(a, 3), i16x8.shl(b, 3), i16x8.shl(c, 3), i16x8.shl(d, 3));
    const odd = lanes(i16x8.shl(a, 7), i16x8.shl(b, 7), i16x8.shl(c, 7), i16x8.shl(d, 7));
    const second = lanes(i16x8.shl(a, 6), i16x8.shl(b, 6), i16x8.shl(c, 6), i16x8.shl(d, 6));
    let spaces: u64 = 0;
    const lowest = i8x16.min_s(i8x16.min_s(raised(a), raised(b)), i8x16.min_s(raised(c), raised(d)));
    if (i8x16.bitmask(i8x16.lt_s(lowest, i8x16.splat(raisedComma))) !== 0) {
      spaces = lanes(spacesIn(a), spacesIn(b), spacesIn(c), spacesIn(d));
      if ((lanes(isBelow(a), isBelow(b), isBelow(c), isBelow(d)) & ~spaces) !== 0) break;
      others &= ~spaces;
    }
    const minuses = others & odd;
    const points = others & second;
    const commas = others & ~(odd | second);

    const separators = commas | spaces;
    const lead = (separators << 1) | carriedLead;
    const starts = lead & ~spaces;
    const firsts = (starts & ~minuses) | (minuses << 1) | carriedMinus;
    const behindFirst = (firsts << 1) | carriedFirst;
    const digitsOnly = firsts | (points << 1) | carriedPoint;
    const faults =
      // A slash has both bits.
      (minuses & points) |
      (spaces & ~lead) |
      (minuses & ~starts) |
      (digitsOnly & (others | spaces)) |
      // Behind the first digit is a point or a comma, and nowhere else is a point.
      ((behindFirst ^ points) & ~commas);
    if (faults !== 0) break;

    count += popcnt(commas);
    carriedLead = separators >> 63;
    carriedMinus = minuses >> 63;
    carriedFirst = firsts >> 63;
    carriedPoint = points >> 63;
    at += blockBytes;
  }
  while (at > start && load<u8>(at - 1) !== comma) at -= 1;
  return (count << 32) | u64(at);
}

export const blockBytes: usize = 64;

const comma: u8 = 0x2c;
/** The distance of nine from the largest signed byte. */
const raise: i8 = 0x7f - 0x39;
const raisedComma: i8 = 0x2c + raise;

/** The highest signed bytes are those from comma to nine. */
function raised(bytes: v128): v128 {
  return i8x16.add(bytes, i8x16.splat(raise));
}

function isBelow(bytes: v128): v128 {
  return i8x16.lt_s(raised(bytes), i8x16.splat(raisedComma));
}

/** The spaces of JSON. The table has each of them in the place of its lower half, so that any other byte differs. */
function spacesIn(bytes: v128): v128 {
  const byLow = i8x16(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0x0a, 0, 0, 0x0d, 0, 0);
  return i8x16.eq(bytes, i8x16.swizzle(byLow, v128.and(bytes, i8x16.splat(15))));
}

/** The highest bit of each of 64 bytes. */
function lanes(a: v128, b: v128, c: v128, d: v128): u64 {
  const lower = u32(i8x16.bitmask(a)) | (u32(i8x16.bitmask(b)) << 16);
  const upper = u32(i8x16.bitmask(c)) | (u32(i8x16.bitmask(d)) << 16);
  return u64(lower) | (u64(upper) << 32);
}
