export { builtInEmbeddingModels, type EmbeddingModelDescription } from "./built-in-models.js";
export {
  type EmbeddingEngine,
  type EmbeddingEngineOptions,
  type EmbeddingResult,
  type LocalModelState,
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
export type { EmbeddingPriority } from "./text-queue.js";
