/** Address of the caller's powers of ten: 10^-31 to 10^45, each as its 64 highest bits, rounded up. */
export const powersOfTen: usize = 1024 * 1024 + 1024;
const smallestPower: i32 = -31;

/**
 * The shortest decimal that reads back as this float32, and of those the closest: `digits * 10^exponent`. It may end in
 * zeros. This is Schubfach, by Raffaello Giulietti: https://github.com/c4f7fcce9cb06515/Schubfach
 *
 * @param bits A positive float32, neither infinity nor NaN.
 * @returns The digits in the lower half, at most nine of them, and the exponent in the upper half.
 */
export function shortestDecimal(bits: u32): u64 {
  const biased = bits >> significandBits;
  const fraction = bits & ((1 << significandBits) - 1);
  const isSubnormal = biased === 0;
  const significand: u32 = isSubnormal ? fraction : fraction | (1 << significandBits);
  const exponent: i32 = (isSubnormal ? 1 : biased) - exponentBias;
  // Below a power of two, floats are twice as dense.
  const isLowerCloser = fraction === 0 && biased > 1;
  const power = floorLog10(exponent, isLowerCloser);
  const scale = load<u64>(powersOfTen + ((-power - smallestPower) << 3));
  const shift = exponent + floorLog2OfPowerOfTen(-power) + 1;

  // The float and the middles between it and its neighbours, as quarters of 10^power. A number in between reads back.
  const value = scaled(scale, (significand << 2) << shift);
  const lowest = scaled(scale, ((significand << 2) - 2 + u32(isLowerCloser)) << shift);
  const highest = scaled(scale, ((significand << 2) + 2) << shift);
  // The middles themselves read back as the neighbour whose significand is even.
  const isOdd = significand & 1;
  const from = lowest + isOdd;
  const to = highest - isOdd;

  // The processor cannot predict which of these is taken, so the code selects instead of branching.
  const floor = value >> 2;
  const middle = (floor << 2) + 2;
  // A value in the middle goes to the even neighbour.
  const isUp = value + (floor & 1) > middle;
  const isBelowInside = from <= floor << 2;
  const isAboveInside = (floor << 2) + 4 <= to;
  const nearest = floor + u32(select<bool>(isAboveInside, isUp, isBelowInside !== isAboveInside));
  const tens = floor / 10;
  const isTenBelowInside = from <= tens * 40;
  const isTenAboveInside = tens * 40 + 40 <= to;
  const isShorter = tens > 0 && isTenBelowInside !== isTenAboveInside;
  const digits = select<u32>(tens + u32(isTenAboveInside), nearest, isShorter);
  return u64(digits) | (u64(power + i32(isShorter)) << 32);
}

const significandBits: u32 = 23;
/** Of the exponent that belongs to a whole significand. */
const exponentBias: i32 = 150;

/** The whole part of log10(2^exponent), or of three quarters of that power: exact for every exponent of a float32. */
function floorLog10(exponent: i32, isThreeQuarters: bool): i32 {
  return (exponent * 1262611 - (isThreeQuarters ? 524031 : 0)) >> 22;
}

function floorLog2OfPowerOfTen(exponent: i32): i32 {
  return (exponent * 1741647) >> 19;
}

/** The product without its lower 64 bits. The last bit is set if they matter, so that comparisons stay exact. */
function scaled(scale: u64, significand: u32): u32 {
  const lower = (scale & 0xffffffff) * u64(significand);
  const upper = (scale >> 32) * u64(significand) + (lower >> 32);
  return u32(upper >> 32) | u32(u32(upper) > 1);
}
