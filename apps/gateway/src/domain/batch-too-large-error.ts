import { GatewayError } from "../errors.js";
import type { EmbeddingTarget } from "./model.js";

/** An upstream refused a batch because of its size, and may have said how much it takes. */
export class BatchTooLargeError extends GatewayError {
  /** Which target refused; known to whoever chose it. */
  target: EmbeddingTarget | undefined;

  constructor(
    message: string,
    readonly limit: { readonly maxInputs?: number; readonly maxTokens?: number },
    options: { cause?: unknown } = {},
  ) {
    super("upstream_rejected", message, { param: "input", ...options });
    this.name = "BatchTooLargeError";
  }
}
