/** The model is not known, its files are not sound, or the runtime cannot load it. The cause says which. */
export class ModelUnavailableError extends Error {
  override readonly name = "ModelUnavailableError";
  readonly model: string;

  constructor(model: string, reason: string) {
    // The reason names folders of this machine, which are not for every caller to read.
    super(`The local model ${model} is not available.`, { cause: reason });
    this.model = model;
  }
}
