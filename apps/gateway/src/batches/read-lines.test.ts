import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, readLines } from "./read-lines.js";

test("lines have their numbers and their places in the file", async () => {
  const lines = await linesOf(["ab\r\n", "c\n\nd"]);

  expect(lines.map(({ text, ...place }) => ({ ...place, text: text?.toString() }))).toEqual([
    { number: 1, start: 0, end: 4, text: "ab" },
    { number: 2, start: 4, end: 6, text: "c" },
    { number: 3, start: 6, end: 7, text: "" },
    { number: 4, start: 7, end: 8, text: "d" },
  ]);
});

test("a line that is too long has no text, and the next one has its own", async () => {
  const lines = await linesOf(["12345", "6\n12345\r\n", "12345\n"], 5);

  expect(lines.map(({ text, end }) => [text?.toString(), end])).toEqual([
    [undefined, 7],
    ["12345", 14],
    ["12345", 20],
  ]);
});

test("a range of a file goes on with its numbers", async () => {
  const lines = readLines(chunksOf(["x\ny\n"]), { lineBytesMax: 10, from: { start: 100, line: 7 } });

  const [first, second] = await gather(lines);
  expect(first).toMatchObject({ number: 7, start: 100, end: 102 });
  expect(second).toMatchObject({ number: 8, start: 102, end: 104 });
});

test("however a file is cut into chunks, its lines are the same", async () => {
  const text = fc.array(fc.string({ unit: fc.constantFrom("a", "é", " ", "\r") }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(20), { maxLength: 5 }), async (lines, cuts) => {
      const file = Buffer.from(lines.map((line) => `${line}\n`).join(""));

      const whole = await linesOf([file]);
      const inPieces = await linesOf(cut(file, cuts));

      expect(inPieces).toEqual(whole);
      expect(whole.map(({ start, end }) => file.subarray(start, end).toString())).toEqual(
        lines.map((line) => `${line}\n`),
      );
    }),
  );
});

function cut(file: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let rest = file;
  for (const length of lengths) {
    pieces.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return [...pieces, rest];
}

function linesOf(chunks: readonly (string | Buffer)[], lineBytesMax = 1000): Promise<Line[]> {
  return gather(readLines(chunksOf(chunks), { lineBytesMax }));
}

async function gather(lines: AsyncIterable<Line>): Promise<Line[]> {
  const gathered: Line[] = [];
  for await (const line of lines) gathered.push(line);
  return gathered;
}

async function* chunksOf(chunks: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}
