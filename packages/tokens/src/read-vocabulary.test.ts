import { getEncodingParams } from "gpt-tokenizer/modelParams";
import { expect, test } from "vitest";
import { readVocabulary } from "./read-vocabulary.js";

const names = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"] as const;

test.each(names)("%s has each token of gpt-tokenizer under its id, and no other", async (name) => {
  const library: { default: readonly (string | readonly number[] | undefined)[] } = await import(
    `gpt-tokenizer/bpeRanks/${name}`
  );
  const ranks = library.default;

  const { table } = await readVocabulary(name);

  const differing = Array.from(ranks, (token = "", id) => ({
    id,
    bytes: Buffer.from(token as string),
  })).filter(
    ({ id, bytes }) =>
      !bytes.equals(table.bytesOf(id)) ||
      (bytes.length > 0 && table.rankOf(bytes, 0, bytes.length) !== id && !startsWithByteOrderMark(bytes)),
  );
  expect(ranks.length).toBeGreaterThan(50_000);
  expect(differing).toEqual([]);
  expect(table.lengthOf(ranks.length)).toBe(0);
});

test.each(names)("%s has the special tokens of gpt-tokenizer", async (name) => {
  const { specialTokensEncoder } = getEncodingParams(name, () => []);

  const { specialTokens } = await readVocabulary(name);

  expect(new Map(Array.from(specialTokens, ([id, text]) => [text, id]))).toEqual(specialTokensEncoder);
});

/** The library's counts know no such token, and neither does the table. */
function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(Buffer.from("\ufeff"));
}
