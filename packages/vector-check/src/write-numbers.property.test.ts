import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { base64Bytes, countNumbers, textBytesMax, writeBase64Numbers, writeNumbers } from "./index.js";

const seed = 20261116;
const infinity = 0x7f800000;

/** Bit patterns of finite numbers, with all exponents equally often. */
function finite(bits: Uint32Array): Uint32Array {
  return bits.map((pattern) => ((pattern & infinity) === infinity ? pattern & ~0x40000000 : pattern));
}

function textOf(bits: Uint32Array): string {
  return writeNumbers(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength)).toString("latin1");
}

function textOfNumber(number: number): string {
  return textOf(new Uint32Array(Float32Array.of(number).buffer)).slice(1, -1);
}

/** Fails with the first number that reads back differently. */
function expectToReadBack(bits: Uint32Array): void {
  const read = new Uint32Array(Float32Array.from(JSON.parse(textOf(bits))).buffer);
  const wrong = bits.findIndex((pattern, index) => pattern !== read[index]);

  expect({ length: read.length, wrong: bits[wrong] }).toEqual({ length: bits.length, wrong: undefined });
}

test("numbers of every exponent read back as the same float32", () => {
  // A linear congruential generator with a full period: no pattern occurs twice.
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  // The full length is two million numbers.
  const rounds = lengthByTier({ short: 64, full: 512 });
  for (let round = 0; round < rounds; round += 1)
    expectToReadBack(finite(Uint32Array.from({ length: 4096 }, next)));
});

test("the neighbours of every power of two and the smallest subnormals read back as the same float32", () => {
  const powers = Array.from({ length: 255 }, (_, exponent) => exponent << 23);
  const near = powers.flatMap((bits) => [bits - 2, bits - 1, bits, bits + 1, bits + 2]);
  const subnormals = Array.from({ length: 10_000 }, (_, bits) => bits);
  const largest = [infinity - 1, infinity - 2];
  const positive = [...near.filter((bits) => bits >= 0), ...subnormals, ...largest];

  expectToReadBack(Uint32Array.from(positive));
  expectToReadBack(Uint32Array.from(positive, (bits) => bits | 0x80000000));
});

test("every power of ten, as float32 rounds it, is written with one digit", () => {
  for (let exponent = -44; exponent <= 38; exponent += 1) {
    expect(textOfNumber(Number(`1e${exponent}`))).toBe(String(Number(`1e${exponent}`)));
  }
});

test("a number has as few digits as possible, in JavaScript's notation", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: infinity - 1 }), (bits) => {
      const number = new Float32Array(Uint32Array.of(bits).buffer)[0] ?? 0;

      const text = textOfNumber(number);

      expect(String(Number(text))).toBe(text);
      expect(digitsOf(text)).toBeLessThanOrEqual(fewestDigits(number));
    }),
    { numRuns: lengthByTier({ short: 2000, full: 20_000 }), seed },
  );
});

function digitsOf(text: string): number {
  return text
    .replace(/e.*$/, "")
    .replace(".", "")
    .replace(/^0+|0+$/g, "").length;
}

/** Found by trying. Next to a power of two it may be one too many. */
function fewestDigits(number: number): number {
  for (let digits = 1; digits < 9; digits += 1) {
    if (Math.fround(Number(number.toPrecision(digits))) === number) return digits;
  }
  return 9;
}

test.each([
  [0, "0"],
  [-0, "-0.0"],
  [1, "1"],
  [-1, "-1"],
  [0.1, "0.1"],
  [0.5, "0.5"],
  [123.456, "123.456"],
  [16777216, "16777216"],
  [1e20, "100000000000000000000"],
  [1e21, "1e+21"],
  [-3.4028234663852886e38, "-3.4028235e+38"],
  [0.000001, "0.000001"],
  [9.999999e-7, "9.999999e-7"],
  [1.1754944e-38, "1.1754944e-38"],
  [1e-45, "1e-45"],
  [-0.012345679, "-0.012345679"],
])("%d is written as %s", (number, text) => {
  expect(textOfNumber(number)).toBe(text);
});

test("an array of any length is valid, even where it does not fit into one piece", () => {
  for (const length of [0, 1, 2, 1536, 4095, 4096, 4097, 8192, 10_000]) {
    const floats = Float32Array.from({ length }, (_, index) => (index % 2 === 0 ? 1 : -1) / (index + 1));

    const text = writeNumbers(new Uint8Array(floats.buffer));

    expect(Float32Array.from(JSON.parse(text.toString("latin1")))).toEqual(floats);
  }
});

test("the longest numbers of a whole piece fit into the memory", () => {
  const longest = new Float32Array(4096).fill(-999999950000000000000);

  const text = writeNumbers(new Uint8Array(longest.buffer));

  expect(text.length).toBe(4096 * 23 + 1);
  expect(Float32Array.from(JSON.parse(text.toString("latin1")))).toEqual(longest);
});

test("the longest text leaves the powers of ten as they are", () => {
  base64Bytes([Buffer.alloc(textBytesMax, "A")]);

  expect(textOfNumber(1e-45)).toBe("1e-45");
});

test("numbers that were written stay as they are when others are written or counted", () => {
  const first = writeNumbers(new Uint8Array(Float32Array.of(0.25, -4).buffer));

  countNumbers([Buffer.from("[1,2,3]")]);
  writeNumbers(new Uint8Array(Float32Array.of(0.5, 8).buffer));

  expect(first.toString("latin1")).toBe("[0.25,-4]");
});

test("numbers in base64 are written like numbers in memory, wherever the chunks end", () => {
  const bits = fc.uint32Array({ minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(bits, fc.nat(), (patterns, place) => {
      const floats = new Uint8Array(finite(patterns).buffer);
      const text = Buffer.from(Buffer.from(floats).toString("base64"));
      const cut = place % text.length;

      const written = writeBase64Numbers([text.subarray(0, cut), text.subarray(cut)]);

      expect(written).toEqual(writeNumbers(floats));
    }),
    { numRuns: lengthByTier({ short: 500, full: 5000 }), seed },
  );
});

test("4,096 numbers in base64 are written, and more are left to the caller", () => {
  const floats = (count: number) => new Uint8Array(Float32Array.from({ length: count }, Math.sin).buffer);
  const base64 = (count: number) => [Buffer.from(Buffer.from(floats(count)).toString("base64"))];

  expect(writeBase64Numbers(base64(4096))).toEqual(writeNumbers(floats(4096)));
  expect(writeBase64Numbers(base64(4097))).toBeUndefined();
  expect(writeBase64Numbers([])).toBeUndefined();
});
