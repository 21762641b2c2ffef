import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderMaxTokens } from "./model-folder.js";

const cases: { name: string; files: Record<string, object>; want: number }[] = [
  { name: "nothing stated", files: {}, want: 512 },
  { name: "the tokenizer alone", files: { "tokenizer_config.json": { model_max_length: 256 } }, want: 256 },
  {
    name: "no limit but the positions",
    files: {
      "tokenizer_config.json": { model_max_length: 1e30 },
      "config.json": { max_position_embeddings: 1024 },
    },
    want: 1024,
  },
  {
    name: "a tokenizer below the positions",
    files: {
      "tokenizer_config.json": { model_max_length: 512 },
      "config.json": { max_position_embeddings: 514 },
    },
    want: 512,
  },
  {
    name: "what sentence-transformers wrote",
    files: {
      "sentence_bert_config.json": { max_seq_length: 128 },
      "config.json": { max_position_embeddings: 512 },
    },
    want: 128,
  },
  { name: "more than we run", files: { "config.json": { max_position_embeddings: 131_072 } }, want: 8_192 },
];

test.each(cases)("the length of a model follows from $name", async ({ files, want }) => {
  const folder = await mkdtemp(join(tmpdir(), "max-tokens-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [file, content] of Object.entries(files)) {
    await writeFile(join(folder, file), JSON.stringify(content));
  }

  expect(await folderMaxTokens(folder)).toBe(want);
});
