/** The engine was closed before the call was answered. */
export class EngineClosedError extends Error {
  override readonly name = "EngineClosedError";

  constructor() {
    super("The embedding engine is closed.");
  }
}
