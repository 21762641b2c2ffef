/** A worker ended, or its model failed, while it ran a text. The cause says why. */
export class EmbeddingFailedError extends Error {
  override readonly name = "EmbeddingFailedError";
  readonly model: string;

  constructor(model: string, reason: string) {
    super(`The local model ${model} failed.`, { cause: reason });
    this.model = model;
  }
}
