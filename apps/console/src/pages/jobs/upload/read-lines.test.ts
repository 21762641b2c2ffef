import { expect, test } from "vitest";
import { readLines } from "./read-lines.js";

async function linesOf(text: string, pieceBytes: number, lineBytesMax?: number) {
  const read: (string | undefined)[] = [];
  for await (const { lines } of readLines(new Blob([text]), {
    pieceBytes,
    ...(lineBytesMax !== undefined && { lineBytesMax }),
  }))
    for (const { number, text } of lines) read[number - 1] = text;
  return read;
}

test("lines are the same for every size of the pieces, also where a letter is cut", async () => {
  const text = '{"a":"é☕"}\n\n{"b":1}\r\nlast 🎨';
  const expected = ['{"a":"é☕"}', "", '{"b":1}', "last 🎨"];

  for (let bytes = 1; bytes <= 40; bytes += 1) expect(await linesOf(text, bytes)).toEqual(expected);
});

test("a line that is too long is counted, and the next one is read", async () => {
  expect(await linesOf(`${"x".repeat(50)}\nshort\n${"y".repeat(9)}\n`, 8, 8)).toEqual([
    undefined,
    "short",
    undefined,
  ]);
});

test("a piece says how far the file is read, and an empty file has none", async () => {
  const read: number[] = [];
  for await (const { bytesRead } of readLines(new Blob(["0123456789"]), { pieceBytes: 4 }))
    read.push(bytesRead);

  expect(read).toEqual([4, 8, 10]);
  expect(await linesOf("", 4)).toEqual([]);
});
