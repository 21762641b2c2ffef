import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddingScheduler } from "./embedding-scheduler.js";
import { reasonOf } from "./errors.js";

/** Whether a model can run, with its width and input limit. */
export type LocalModelState =
  | {
      readonly id: string;
      readonly available: true;
      readonly dimensions: number;
      readonly maxTokens: number;
    }
  | { readonly id: string; readonly available: false; readonly reason: string };

/** Embeds a probe text: only a vector proves that the operator's model runs and shows its dimensions. */
export async function inspectFolder(
  { id, folder }: { readonly id: string; readonly folder: string },
  scheduler: EmbeddingScheduler,
): Promise<LocalModelState> {
  try {
    await Promise.all(["model.onnx", "tokenizer.json"].map((name) => access(join(folder, name))));
    const maxTokens = await folderMaxTokens(folder);
    const { vectors } = await scheduler.embed({ id, folder, maxTokens }, ["probe"]);
    return { id, available: true, dimensions: vectors[0]?.length ?? 0, maxTokens };
  } catch (error) {
    return { id, available: false, reason: reasonOf(error) };
  }
}

/**
 * The most tokens the model in a folder reads: the setting of sentence-transformers, or else the smaller limit of the
 * tokenizer and the architecture. The truncation in tokenizer.json is ignored: it belongs to a past training run, not
 * to the model.
 */
export async function folderMaxTokens(folder: string): Promise<number> {
  const read = async (file: string, key: string) => {
    const value = (await readJsonObject(join(folder, file)))?.[key];
    // transformers writes 1e30 for "no limit".
    return typeof value === "number" && value >= 1 ? [Math.min(Math.floor(value), maxTokensMax)] : [];
  };
  const [stated] = await read("sentence_bert_config.json", "max_seq_length");
  if (stated !== undefined) return stated;
  const limits = [
    ...(await read("tokenizer_config.json", "model_max_length")),
    ...(await read("config.json", "max_position_embeddings")),
  ];
  return limits.length > 0 ? Math.min(...limits) : maxTokensDefault;
}

/** A text of this length keeps a worker busy for seconds. Beyond it, attention alone takes gigabytes. */
const maxTokensMax = 8_192;
/** The limit in BERT and nearly all models derived from it. */
const maxTokensDefault = 512;

/** The object in a JSON file, or undefined if there is no such file. */
export async function readJsonObject(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`${path} holds no JSON object.`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
