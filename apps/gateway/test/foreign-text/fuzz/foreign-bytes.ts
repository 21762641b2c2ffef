import fc from "fast-check";
import type { Parser } from "../parser.js";
import { megabyte } from "../shapes.js";
import { wordsOf } from "./words.js";

/** A change of some bytes. Places are counted modulo the length, so that a shrunk text still has them. */
type Change = (bytes: Buffer) => Buffer;

/** Some samples are longer than the texts that are read in another way: 64 KB. */
const bytesMax = 80 * 1024;
const place = fc.nat(0xffff);
const length = fc.oneof({ weight: 4, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.nat(2000) });
/** Lengths and counts at the ends of their ranges. */
const extremes = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/** A valid text of a parser that was changed in some places, a JSON of any shape, or bytes of no shape. */
export function foreignBytes(parser: Parser): fc.Arbitrary<Buffer> {
  const samples = samplesOf(parser);
  const changed = fc
    .tuple(fc.constantFrom(...samples), fc.array(changeOf(parser, samples), { maxLength: 6 }))
    .map(([sample, changes]) =>
      changes.reduce((bytes, change) => change(bytes), sample).subarray(0, bytesMax),
    );
  const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const words = fc
    .array(fc.constantFrom(...wordsOf(parser.kind)), { maxLength: 40 })
    .map((list) => Buffer.concat(list));
  const json = fc.json({ depthSize: "medium" }).map((text) => Buffer.from(text));
  return fc
    .oneof(
      { weight: 12, arbitrary: changed },
      { weight: 2, arbitrary: words },
      { weight: parser.kind === "json" ? 3 : 1, arbitrary: json },
      { weight: 1, arbitrary: random },
    )
    .map((bytes) => readable(bytes.subarray(0, parser.bytesMax)));
}

/** Such a text with a piece of it repeated, up to a megabyte. */
export function repeatedBytes(parser: Parser): fc.Arbitrary<Buffer> {
  const most = Math.min(parser.bytesMax ?? megabyte, megabyte);
  return fc.tuple(foreignBytes(parser), place, fc.integer({ min: 1, max: 40 })).map(([bytes, at, count]) => {
    const start = at % (bytes.length + 1);
    const piece = bytes.subarray(start, start + count);
    if (piece.length === 0) return bytes;
    const room = Math.max(0, most - bytes.length);
    const repeated = Buffer.alloc(room - (room % piece.length), piece);
    return readable(Buffer.concat([bytes.subarray(0, start), repeated, bytes.subarray(start)]));
  });
}

const printedMax = 3000;

/** The bytes, which a failure prints as a text in latin1: to be made a sample or a test. */
function readable(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1", 0, printedMax);
  const value = () =>
    `${JSON.stringify(text)}${bytes.length > printedMax ? "…" : ""} (${bytes.length} bytes)`;
  return Object.defineProperty(Buffer.from(bytes), fc.toStringMethod, { value });
}

function samplesOf({ samples }: Parser): Buffer[] {
  return [...samples.map((sample) => Buffer.from(sample)), Buffer.alloc(0)];
}

function changeOf({ kind }: Parser, samples: readonly Buffer[]): fc.Arbitrary<Change> {
  const word = fc.constantFrom(...wordsOf(kind));
  const inserted = fc.tuple(place, length, word).map(
    ([at, count, bytes]): Change =>
      (text) =>
        splice(text, { at, count: count % 4, by: bytes }),
  );
  const cut = fc.tuple(place, length).map(
    ([at, count]): Change =>
      (text) =>
        splice(text, { at, count, by: nothing }),
  );
  const ended = place.map(
    (at): Change =>
      (text) =>
        text.subarray(0, at % (text.length + 1)),
  );
  const repeated = fc.tuple(place, length, fc.integer({ min: 1, max: 300 })).map(
    ([at, count, times]): Change =>
      (text) => {
        const start = at % (text.length + 1);
        const piece = text.subarray(start, start + Math.min(count, 100));
        return splice(text, {
          at: start,
          count: 0,
          by: Buffer.alloc(piece.length * times, piece.length > 0 ? piece : 0),
        });
      },
  );
  const moved = fc.tuple(place, fc.constantFrom(...samples), place, length).map(
    ([at, other, from, count]): Change =>
      (text) => {
        const start = from % (other.length + 1);
        return splice(text, { at, count: 0, by: other.subarray(start, start + count) });
      },
  );
  const flipped = fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(
    ([at, bits]): Change =>
      (text) => {
        const flippedText = Buffer.from(text);
        if (text.length > 0) flippedText[at % text.length] = (text[at % text.length] ?? 0) ^ bits;
        return flippedText;
      },
  );
  const numbered = fc.tuple(place, fc.constantFrom(...extremes), fc.constantFrom(1, 2, 4), fc.boolean()).map(
    ([at, number, bytes, isBigEndian]): Change =>
      (text) => {
        const by = Buffer.alloc(4);
        by.writeUInt32BE(number);
        const piece = by.subarray(4 - bytes);
        return splice(text, { at, count: bytes, by: isBigEndian ? piece : Buffer.from(piece).reverse() });
      },
  );
  return fc.oneof(
    { weight: 4, arbitrary: inserted },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: ended },
    { weight: 2, arbitrary: repeated },
    { weight: 2, arbitrary: moved },
    { weight: 2, arbitrary: flipped },
    { weight: kind === "image" ? 4 : 1, arbitrary: numbered },
  );
}

const nothing = Buffer.alloc(0);

function splice(
  text: Buffer,
  { at, count, by }: { readonly at: number; readonly count: number; readonly by: Buffer },
): Buffer {
  const start = at % (text.length + 1);
  return Buffer.concat([text.subarray(0, start), by, text.subarray(start + count)]);
}
