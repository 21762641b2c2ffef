import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Row } from "../rows.js";
import { limitsFor, RowReader, writeBatchFile } from "./batch-file.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "batch-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => join(folder, name);
const request = { model: "m", dimensions: undefined, inputType: undefined };

async function* rowsOf(...texts: (string | null)[]): AsyncGenerator<Row, void, undefined> {
  for (const [index, text] of texts.entries()) yield { id: index, text, next: index + 1 };
}

test("files stay within OpenAI's limits, and those of wide vectors are shorter", () => {
  const bytesOf = (dimensions: number) => limitsFor(dimensions).lines * Math.ceil((dimensions * 16) / 3);

  expect(limitsFor(384)).toEqual({ lines: 50_000, bytes: 190_000_000 });
  for (const dimensions of [1, 384, 1536, 3072, 16_384]) {
    expect(limitsFor(dimensions).lines).toBeLessThanOrEqual(50_000);
    expect(bytesOf(dimensions)).toBeLessThanOrEqual(200_000_000);
  }
});

test("a file ends before the row that does not fit, which begins the next one", async () => {
  const rows = new RowReader(rowsOf("a", null, "b", " ", "c", "d"));
  const limits = { lines: 2, bytes: 1_000_000 };

  const files = [
    await writeBatchFile(pathOf("1"), rows, { request, limits }),
    await writeBatchFile(pathOf("2"), rows, { request, limits }),
    await writeBatchFile(pathOf("3"), rows, { request, limits }),
  ];

  expect(files).toEqual([
    { lines: 2, skipped: 2, place: 4, isLast: false },
    { lines: 2, skipped: 0, place: 6, isLast: true },
    { lines: 0, skipped: 0, place: undefined, isLast: true },
  ]);
  const ids = readFileSync(pathOf("2"), "utf8").trim().split("\n");
  expect(ids.map((line) => JSON.parse(line).custom_id)).toEqual(["4", "5"]);
});

test("a file is bounded in bytes, and a text that alone exceeds the bound has its own", async () => {
  const rows = new RowReader(rowsOf("short", "x".repeat(2000), "short"));
  const limits = { lines: 100, bytes: 1000 };

  const lines = [];
  for (let file = 0; file < 3; file += 1)
    lines.push((await writeBatchFile(pathOf("f"), rows, { request, limits })).lines);

  expect(lines).toEqual([1, 1, 1]);
});

test("an id keeps its type, and parameters are in each line", async () => {
  const ids: AsyncGenerator<Row, void, undefined> = (async function* () {
    yield { id: 7, text: "a", next: null };
    yield { id: "7", text: "b", next: null };
  })();

  await writeBatchFile(pathOf("f"), new RowReader(ids), {
    request: { model: "m", dimensions: 256, inputType: "document" },
    limits: limitsFor(256),
  });

  const lines = readFileSync(pathOf("f"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      custom_id: "7",
      method: "POST",
      url: "/v1/embeddings",
      body: { model: "m", input: "a", encoding_format: "base64", dimensions: 256, input_type: "document" },
    },
    expect.objectContaining({ custom_id: '"7"' }),
  ]);
});
