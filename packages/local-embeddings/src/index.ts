export { builtInEmbeddingModels, type EmbeddingModelDescription } from "./built-in-models.js";
export type { EmbeddingResult } from "./embedding-call.js";
export {
  type EmbeddingEngine,
  type EmbeddingEngineOptions,
  openEmbeddingEngine,
} from "./embedding-engine.js";
export type { EmbedOptions } from "./embedding-scheduler.js";
export {
  EmbeddingFailedError,
  EngineBusyError,
  EngineClosedError,
  InputTooLongError,
  ModelUnavailableError,
} from "./errors.js";
export type { LocalModelState } from "./model-folder.js";
export type { EmbeddingPriority } from "./text-queue.js";
