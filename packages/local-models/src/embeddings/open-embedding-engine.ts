import { availableParallelism } from "node:os";
import { join } from "node:path";
import { weightFault } from "../weights/weight-fault.js";
import { weightPins } from "../weights/weight-pins.js";
import { weightsFolder } from "../weights/weights-folder.js";
import { builtInEmbeddingModels } from "./built-in-embedding-models.js";
import type { EmbeddingEngine, LocalModelState } from "./embedding-engine.js";
import type { EmbeddingModelDescription } from "./embedding-model-description.js";
import { EmbeddingScheduler } from "./embedding-scheduler.js";
import { inspectFolder } from "./inspect-folder.js";
import { ModelUnavailableError } from "./model-unavailable-error.js";

export interface EmbeddingEngineOptions {
  /** Models of the operator: name to folder. A name of a built-in model takes its place. */
  readonly folders?: Readonly<Record<string, string>>;
  /** Where the weights of the built-in models are, when not in this package. */
  readonly weightsFolder?: string;
  readonly workers?: number;
  /** How many texts may wait for a worker, over all calls. */
  readonly queueMax?: number;
  /** The compiled worker, for those who run this from its TypeScript source. */
  readonly workerUrl?: URL;
}

/** Checks the files of every model and starts no worker but to try the operator's models. Never rejects for a model. */
export async function openEmbeddingEngine(options: EmbeddingEngineOptions = {}): Promise<EmbeddingEngine> {
  const workers = options.workers ?? Math.max(1, Math.min(4, availableParallelism()));
  const scheduler = new EmbeddingScheduler({
    workerUrl: options.workerUrl ?? new URL("./worker.js", import.meta.url),
    workers,
    queueMax: options.queueMax ?? 16_384,
  });
  const folders = new Map(Object.entries(options.folders ?? {}));
  const builtIn = builtInEmbeddingModels
    .filter(({ id }) => !folders.has(id))
    .map((description) => ({
      description,
      folder: join(options.weightsFolder ?? weightsFolder, description.folder),
    }));
  const states = await Promise.all([
    ...builtIn.map(({ description, folder }) => checkBuiltIn(description, folder)),
    ...[...folders].map(([id, folder]) => inspectFolder({ id, folder }, scheduler)),
  ]);
  for (const { description, folder } of builtIn) folders.set(description.id, folder);
  const models = new Map(states.map((state) => [state.id, state]));

  const embed: EmbeddingEngine["embed"] = async (id, texts, signal) => {
    const [state, folder] = [models.get(id), folders.get(id)];
    if (!state || !folder) throw new ModelUnavailableError(id, "There is no such model.");
    if (!state.available) throw new ModelUnavailableError(id, state.reason);
    return scheduler.embed({ id, folder, maxTokens: state.maxTokens }, texts, signal);
  };
  return {
    models,
    embed,
    async warm(id) {
      // Idle workers take one text each, so as many texts as workers reach them all.
      await embed(id, new Array<string>(workers).fill("warm"));
    },
    close: () => scheduler.close(),
  };
}

async function checkBuiltIn(
  { id, dimensions, maxTokens }: EmbeddingModelDescription,
  folder: string,
): Promise<LocalModelState> {
  const digests = weightPins.find((pins) => pins.id === id)?.built ?? {};
  const reason = await weightFault(folder, digests);
  return reason ? { id, available: false, reason } : { id, available: true, dimensions, maxTokens };
}
