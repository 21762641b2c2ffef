import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppendFile } from "./append-file.js";
import { createJsonlSink } from "./jsonl-store.js";
import { readLines } from "./read-lines.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reembed-jsonl-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => join(folder, name);

test("lines are read from any byte on, over the ends of chunks, with and without a last newline", async () => {
  const long = "x".repeat(1_500_000);
  writeFileSync(pathOf("f"), `a\n\n${long}\r\nlast ü`);

  const lines = [];
  for await (const { text, end, number } of readLines(pathOf("f"))) lines.push([text.length, end, number]);
  const rest = [];
  for await (const { text, number } of readLines(pathOf("f"), 1_500_005)) rest.push([text, number]);

  expect(lines).toEqual([
    [1, 2, 1],
    [1_500_000, 1_500_005, 3],
    [6, 1_500_012, 4],
  ]);
  expect(rest).toEqual([["last ü", 4]]);
});

test("a line without an end is refused before it fills the memory", async () => {
  writeFileSync(pathOf("f"), "x".repeat(18 * 1024 * 1024));

  await expect(readLines(pathOf("f")).next()).rejects.toThrow(
    `Line 1 of ${pathOf("f")} has more than 16777216 bytes.`,
  );
});

test("lines after a checkpoint are dropped, and a file that lost some is refused", async () => {
  const file = new AppendFile(pathOf("f"), 0);
  await file.append(["kept"]);
  const checkpoint = await file.sync();
  await file.append(["written after it"]);
  await file.close();

  const again = new AppendFile(pathOf("f"), checkpoint);
  await again.append(["second"]);
  await again.close();

  expect(readFileSync(pathOf("f"), "utf8")).toBe("kept\nsecond\n");
  await expect(new AppendFile(pathOf("f"), 1000).open()).rejects.toThrow("is shorter than it was");
});

test("a vector is written with the shortest digits that read back as the same numbers", async () => {
  const sink = createJsonlSink(pathOf("f"), { position: null, force: false });
  const space = { id: "s:2:any", dimensions: 2 };
  const embedding = Float32Array.of(0.1, 1 / 3);
  await sink.prepare(space);

  await sink.write([{ id: "a", embedding }], space);
  await sink.close();

  const { embedding: read, ...line } = JSON.parse(readFileSync(pathOf("f"), "utf8"));
  expect(line).toEqual({ id: "a", space: "s:2:any" });
  expect(Float32Array.from(read)).toEqual(embedding);
  expect(read[0]).toBe(0.1);
  await expect(createJsonlSink(pathOf("f"), { position: null, force: false }).prepare(space)).rejects.toThrow(
    "exists already. Use --force",
  );
});
