import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { readJsonObject } from "./read-json-object.js";

/** Gives a function from a text to all its token ids, special tokens included. */
export async function loadTokeniser(folder: string): Promise<(text: string) => readonly number[]> {
  const definition = JSON.parse(await readFile(join(folder, "tokenizer.json"), "utf8"));
  const settings = await readJsonObject(join(folder, "tokenizer_config.json"));
  // Files often carry the truncation and padding of a training run (128 tokens, for MiniLM).
  const tokeniser = new Tokenizer({ ...definition, truncation: null, padding: null }, settings ?? {});
  return (text) => tokeniser.encode(text).ids;
}
