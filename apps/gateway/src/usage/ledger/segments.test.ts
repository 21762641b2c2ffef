import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readLines } from "./segments.js";

const folder = mkdtempSync(join(tmpdir(), "lines-"));
const path = join(folder, "file");
afterAll(() => rmSync(folder, { recursive: true }));

async function linesOf(content: string | Buffer, lineBytesMax = 1_000_000) {
  writeFileSync(path, content);
  const lines: (string | undefined)[] = [];
  for await (const some of readLines(path, lineBytesMax)) lines.push(...some);
  return lines;
}

test("lines are complete and in order, even across chunk borders", async () => {
  const line = fc.string({ maxLength: 30 }).map((some) => some.replaceAll("\n", "").repeat(500));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
      expect(await linesOf(lines.map((one) => `${one}\n`).join(""))).toEqual(lines);
    }),
    { numRuns: 30, seed: 20261116 },
  );
});

test("multi-byte letters are not split", async () => {
  const line = "ä€😀".repeat(20_000);

  expect(await linesOf(`${line}\n${line}\n`)).toEqual([line, line]);
});

test("a last line without a line break is read", async () => {
  expect(await linesOf("a\nb")).toEqual(["a", "b"]);
  expect(await linesOf("")).toEqual([]);
});

test("a line that is too long is undefined, and is not buffered", async () => {
  const zeros = Buffer.alloc(3_000_000);

  expect(await linesOf(Buffer.concat([Buffer.from("a\n"), zeros, Buffer.from("\nb\n")]), 1000)).toEqual([
    "a",
    undefined,
    "b",
  ]);
  expect(await linesOf(Buffer.concat([Buffer.from("a\n"), zeros]), 1000)).toEqual(["a", undefined]);
});

test("a missing file is an error", async () => {
  await expect(readLines(join(folder, "nowhere"), 1000).next()).rejects.toThrow(/ENOENT/);
});
