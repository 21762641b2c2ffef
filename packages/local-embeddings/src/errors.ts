/** The model is unknown, its files are damaged, or the runtime cannot load it. The cause says which. */
export class ModelUnavailableError extends Error {
  override readonly name = "ModelUnavailableError";
  readonly model: string;

  constructor(model: string, reason: string) {
    // The reason names folders of this machine, which callers must not see.
    super(`The local model ${model} is not available.`, { cause: reason });
    this.model = model;
  }
}

/** A text that is longer than its model reads. Texts are never truncated. */
export class InputTooLongError extends Error {
  override readonly name = "InputTooLongError";
  readonly index: number;
  /** Such as `513 tokens`. The tokens of a text that is far too long are not counted: then it is its characters. */
  readonly length: string;
  readonly maxTokens: number;

  constructor(refusal: { readonly index: number; readonly length: string; readonly maxTokens: number }) {
    super(
      `Text ${refusal.index} has ${refusal.length}; the model reads at most ${refusal.maxTokens} tokens.`,
    );
    this.index = refusal.index;
    this.length = refusal.length;
    this.maxTokens = refusal.maxTokens;
  }
}

/** The worker ended or the model failed while it ran a text. The cause says why. */
export class EmbeddingFailedError extends Error {
  override readonly name = "EmbeddingFailedError";
  readonly model: string;

  constructor(model: string, reason: string) {
    super(`The local model ${model} failed.`, { cause: reason });
    this.model = model;
  }
}

/** The queue is full. No text of the refused call was queued. */
export class EngineBusyError extends Error {
  override readonly name = "EngineBusyError";

  constructor(queueMax: number) {
    super(`The local models are busy: at most ${queueMax} texts may wait.`);
  }
}

/** The engine was closed before the call finished. */
export class EngineClosedError extends Error {
  override readonly name = "EngineClosedError";

  constructor() {
    super("The embedding engine is closed.");
  }
}

/** The message of the innermost cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
