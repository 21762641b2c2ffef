import { availableParallelism } from "node:os";
import { join } from "node:path";
import { builtInEmbeddingModels, type EmbeddingModelDescription } from "./built-in-models.js";
import type { EmbeddingResult } from "./embedding-call.js";
import { EmbeddingScheduler, type EmbedOptions } from "./embedding-scheduler.js";
import { InputTooLongError, ModelUnavailableError, reasonOf } from "./errors.js";
import { inspectFolder, type LocalModelState } from "./model-folder.js";
import { missingWeights, weightFault, weightPins, weightsFolder } from "./weights/weight-pins.js";

/** Runs embedding models on this machine, in worker threads. */
export interface EmbeddingEngine {
  /** The state of every model. If its files are missing or altered, it is unavailable, with the reason. */
  readonly models: ReadonlyMap<string, LocalModelState>;

  /** Resolves when the digests of all built-in models have been checked. A call waits for those of its model. */
  readonly checked: Promise<unknown>;

  /**
   * One vector of length 1 for each text, in the order given.
   * Rejects with InputTooLongError, ModelUnavailableError, EngineBusyError, EngineClosedError,
   * EmbeddingFailedError, or with the signal's reason.
   */
  embed(model: string, texts: readonly string[], options?: EmbedOptions): Promise<EmbeddingResult>;

  /** Loads the model in every idle worker, so that the first call is fast, and proves that it runs. */
  warm(model: string): Promise<void>;

  /** Ends every worker. Pending calls reject with EngineClosedError. */
  close(): Promise<void>;
}

export interface EmbeddingEngineOptions {
  /** Models of the operator, name to folder. A model with the name of a built-in one replaces it. */
  readonly folders?: Readonly<Record<string, string>>;
  /** The folder of the built-in weights, if it is not this package's. */
  readonly weightsFolder?: string;
  readonly workers?: number;
  /** The most texts that may wait for a worker, over all calls. */
  readonly queueMax?: number;
  /** The compiled worker, if this module runs from its TypeScript source. */
  readonly workerUrl?: URL;
}

/**
 * Looks for every model's files, and probes the operator's models. Never rejects because of a model. The digests of the
 * built-in weights are checked afterwards: they take a quarter of a second of CPU time, on another thread.
 */
export async function openEmbeddingEngine(options: EmbeddingEngineOptions = {}): Promise<EmbeddingEngine> {
  const workers = options.workers ?? Math.max(1, Math.min(4, availableParallelism()));
  const scheduler = new EmbeddingScheduler({
    workerUrl: options.workerUrl ?? new URL("./worker/worker.js", import.meta.url),
    workers,
    queueMax: options.queueMax ?? 32_768,
  });
  const folders = new Map(Object.entries(options.folders ?? {}));
  const builtIn = builtInEmbeddingModels
    .filter(({ id }) => !folders.has(id))
    .map((description) => ({
      description,
      folder: join(options.weightsFolder ?? weightsFolder, description.folder),
    }));
  const states = await Promise.all([
    ...builtIn.map(({ description, folder }) => findBuiltIn(description, folder)),
    ...[...folders].map(([id, folder]) => inspectFolder({ id, folder }, scheduler)),
  ]);
  for (const { description, folder } of builtIn) folders.set(description.id, folder);
  const models = new Map(states.map((state) => [state.id, state]));
  const checks = new Map<string, Promise<void>>();
  let checked = Promise.resolve();
  // One after the other: a file is read whole.
  for (const { description, folder } of builtIn) {
    checked = checked.then(async () => {
      models.set(description.id, await checkBuiltIn(description, folder));
      checks.delete(description.id);
    });
    checks.set(description.id, checked);
  }

  const embed: EmbeddingEngine["embed"] = async (id, texts, options) => {
    if (checks.has(id)) await checks.get(id);
    const [state, folder] = [models.get(id), folders.get(id)];
    if (!state || !folder) throw new ModelUnavailableError(id, "There is no such model.");
    if (!state.available) throw new ModelUnavailableError(id, state.reason);
    refuseFarTooLong(texts, state.maxTokens);
    return scheduler.embed({ id, folder, maxTokens: state.maxTokens }, texts, options);
  };
  return {
    models,
    checked,
    embed,
    async warm(id) {
      // Each idle worker takes one text, so this reaches all of them.
      await embed(id, new Array<string>(workers).fill("warm"));
    },
    close: () => scheduler.close(),
  };
}

/** A token of any language is shorter. */
const charactersPerTokenMax = 128;

/** Counting the tokens of such a text would take seconds. */
function refuseFarTooLong(texts: readonly string[], maxTokens: number): void {
  const index = texts.findIndex(({ length }) => length > maxTokens * charactersPerTokenMax);
  if (index === -1) return;
  throw new InputTooLongError({ index, length: `${texts[index]?.length} characters`, maxTokens });
}

async function findBuiltIn(description: EmbeddingModelDescription, folder: string): Promise<LocalModelState> {
  return stateOf(description, await missingWeights(folder, pinnedWeights(description)));
}

async function checkBuiltIn(
  description: EmbeddingModelDescription,
  folder: string,
): Promise<LocalModelState> {
  return stateOf(description, await weightFault(folder, pinnedWeights(description)).catch(reasonOf));
}

function pinnedWeights({ id }: EmbeddingModelDescription): Readonly<Record<string, string>> {
  return weightPins.find((pins) => pins.id === id)?.built ?? {};
}

function stateOf(
  { id, dimensions, maxTokens }: EmbeddingModelDescription,
  reason: string | undefined,
): LocalModelState {
  return reason ? { id, available: false, reason } : { id, available: true, dimensions, maxTokens };
}
