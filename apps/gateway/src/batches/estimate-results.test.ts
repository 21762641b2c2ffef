import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { MissingFileError } from "../files/file-store.js";
import type { BatchEndpoint } from "./batch.js";
import { estimateFile, estimateResult } from "./estimate-results.js";

const images = "/v1/images/generations";

test.each([
  ["floats", { input: "a" }, 1536 * 13, 1536 * 25],
  ["several texts", { input: ["a", "b", "c"] }, 3 * 1536 * 13, 3 * 1536 * 25],
  ["the tokens of one text", { input: [1, 2, 3] }, 1536 * 13, 1536 * 25],
  ["base64", { input: "a", encoding_format: "base64" }, 1536 * 5.3, 1536 * 6.5],
  ["fewer dimensions", { input: "a", dimensions: 256 }, 256 * 13, 256 * 28],
  ["bytes", { input: "a", output_dtype: "int8" }, 1536 * 3, 1536 * 6],
  ["bits", { input: "a", output_dtype: "binary" }, 500, 3000],
  ["dimensions that no model has", { input: "a", dimensions: 1e300 }, 1e6, 2e6],
  ["dimensions that are none", { input: "a", dimensions: -1 }, 1536 * 13, 1536 * 25],
])("the result of a line with %s is between what is usual and twice that", (_name, body, least, most) => {
  const bytes = estimate(body);

  expect(bytes).toBeGreaterThan(least);
  expect(bytes).toBeLessThan(most);
});

test("images are as large as their size, their number and their format say", () => {
  const one = estimate({ prompt: "a" }, images);

  expect(one).toBeGreaterThan(2e6);
  expect(estimate({ prompt: "a", n: 4 }, images)).toBeGreaterThan(3.9 * one);
  expect(estimate({ prompt: "a", n: 1e9 }, images)).toBeLessThan(11 * one);
  expect(estimate({ prompt: "a", size: "512x512" }, images)).toBeLessThan(one / 3);
  expect(estimate({ prompt: "a", size: "99999x99999" }, images)).toBeLessThan(20 * one);
  expect(estimate({ prompt: "a", output_format: "jpeg" }, images)).toBeLessThan(one / 3);
});

describe("a file", () => {
  const form = { endpoint: "/v1/embeddings", widthOf: () => 100 } as const;
  const perLine = estimateResult({ customId: "row-10000", body: { input: "a" } }, form);

  test("of short lines has the results of all of them", async () => {
    const small = await estimateOf(lines(100));
    const large = await estimateOf(lines(20_000));

    expect(small / (100 * perLine)).toBeCloseTo(1, 1);
    expect(large / (20_000 * perLine)).toBeCloseTo(1, 1);
  });

  test("whose lines become longer is not judged by its start", async () => {
    const file = lines(5000) + lines(5000, "a".repeat(1000));

    const bytes = await estimateOf(file);

    expect(bytes / (10_000 * perLine)).toBeLessThan(1.5);
  });

  test("has no more results than it may have lines", async () => {
    expect(await estimateOf(lines(20_000), 1000)).toBeLessThan(1100 * perLine);
  });

  test.each([
    ["line feeds", "\n".repeat(100_000)],
    ["one long line", "a".repeat(100_000)],
    ["other JSON", "[1]\nnull\n{}\n".repeat(10_000)],
  ])("of %s has the results of no line", async (_name, file) => {
    expect(await estimateOf(file)).toBe(file.length);
  });

  test("that is elsewhere is judged by its size", async () => {
    const read = async (id: string) => {
      throw new MissingFileError(id);
    };

    expect(await estimateFile({ id: "file-1", bytes: 123 }, { files: { read }, form, linesMax: 10 })).toBe(
      123,
    );
  });

  function estimateOf(file: string, linesMax = 50_000): Promise<number> {
    const content = Buffer.from(file);
    const read = async (_id: string, { start, end } = { start: 0, end: content.length }) =>
      Readable.from([content.subarray(start, end)]);
    return estimateFile({ id: "file-1", bytes: content.length }, { files: { read }, form, linesMax });
  }
});

function lines(count: number, input = "a"): string {
  return Array.from(
    { length: count },
    (_, at) => `${JSON.stringify({ custom_id: `row-${at}`, body: { model: "m", input } })}\n`,
  ).join("");
}

function estimate(
  body: Readonly<Record<string, unknown>>,
  endpoint: BatchEndpoint = "/v1/embeddings",
): number {
  return estimateResult({ customId: "row", body }, { endpoint, widthOf: () => 1536 });
}
