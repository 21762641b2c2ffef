import { join } from "node:path";
import { readJsonObject } from "./read-json-object.js";

/**
 * How many tokens the model of an operator's folder reads: what sentence-transformers wrote down, else the least
 * of what the tokenizer and the architecture allow. The truncation inside tokenizer.json is left aside: it is
 * a setting of some past run, not of the model.
 */
export async function folderMaxTokens(folder: string): Promise<number> {
  const read = async (file: string, key: string) => {
    const value = (await readJsonObject(join(folder, file)))?.[key];
    // Where there is no limit, transformers writes 1e30.
    return typeof value === "number" && value >= 1 ? [Math.min(Math.floor(value), maxTokensMax)] : [];
  };
  const [stated] = await read("sentence_bert_config.json", "max_seq_length");
  if (stated !== undefined) return stated;
  const limits = [
    ...(await read("tokenizer_config.json", "model_max_length")),
    ...(await read("config.json", "max_position_embeddings")),
  ];
  return limits.length > 0 ? Math.min(...limits) : maxTokensWhenUnstated;
}

/** One text of this length keeps a worker for seconds; past it the attention alone takes gigabytes. */
const maxTokensMax = 8_192;
/** The length of BERT and of nearly all models made from it. */
const maxTokensWhenUnstated = 512;
