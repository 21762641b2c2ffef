import { access } from "node:fs/promises";
import { join } from "node:path";
import type { LocalModelState } from "./embedding-engine.js";
import type { EmbeddingScheduler } from "./embedding-scheduler.js";
import { folderMaxTokens } from "./folder-max-tokens.js";
import { reasonOf } from "./reason-of.js";

/** Tries a model of the operator: only a first vector tells that it runs, and how many dimensions it has. */
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
