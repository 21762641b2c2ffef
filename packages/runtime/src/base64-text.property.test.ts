import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { base64Bytes, checkBase64, decodePieces, decodeRange } from "./base64-text.js";
import { TimeSlice } from "./time-slice.js";

const check = (text: Buffer) => checkBase64(text, new TimeSlice());
/** Around the length of a piece, which is 192 KiB. */
const length = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 196_600, max: 196_620 }),
  fc.integer({ min: 393_200, max: 393_230 }),
);
/** Bytes that differ within any three. */
const sample = Buffer.alloc(
  400_000,
  Buffer.from(Array.from({ length: 251 }, (_, index) => (index * 31) % 256)),
);
const content = (bytes: number) => sample.subarray(0, bytes);

test("the bytes of a text are those that it encodes, as a whole, in pieces and in any part", async () => {
  const numRuns = lengthByTier({ short: 30, full: 500 });
  await fc.assert(
    fc.asyncProperty(length, fc.nat(), fc.nat(200_000), async (bytes, place, partBytes) => {
      const whole = content(bytes);
      const text = Buffer.from(whole.toString("base64"));
      const position = place % (bytes + 5);

      expect([await check(text), base64Bytes(text)]).toEqual([bytes, bytes]);
      // A matcher would compare them number by number.
      expect(Buffer.concat(copies(text)).equals(whole)).toBe(true);
      const part = whole.subarray(position, position + partBytes);
      expect(decodeRange(text, position, partBytes).equals(part)).toBe(true);
    }),
    { numRuns, seed: 20261118 },
  );
});

/** The pieces share their memory. */
function copies(text: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (const piece of decodePieces(text)) pieces.push(Buffer.from(piece));
  return pieces;
}

const long = content(300_000).toString("base64");

test.each([
  ["no text", ""],
  ["a letter too few", long.slice(1)],
  ["a letter of another alphabet", `${long.slice(0, 1000)}-${long.slice(1001)}`],
  ["padding in the middle", `${long.slice(0, 262_142)}==${long.slice(262_144)}`],
  ["two bits that encode nothing", "QUF="],
  ["four bits that encode nothing", "QR=="],
  ["padding alone", "===="],
])("%s is refused", async (_name, text) => {
  expect(await check(Buffer.from(text))).toBeUndefined();
});
