import { deferred } from "./deferred.js";
import type { EmbeddingResult } from "./embedding-engine.js";

/** One call to `embed` on its way through the workers. */
export class EmbeddingCall {
  readonly #vectors: Float32Array[];
  readonly #tokenCounts: number[];
  readonly #outcome = deferred<EmbeddingResult>();
  #missing: number;
  #running = 0;
  #failure: { readonly index: number; readonly error: Error } | undefined;

  constructor(textCount: number) {
    this.#vectors = new Array(textCount);
    this.#tokenCounts = new Array(textCount);
    this.#missing = textCount;
  }

  get result(): Promise<EmbeddingResult> {
    return this.#outcome.promise;
  }

  /** A worker has taken one of the texts. */
  start(): void {
    this.#running += 1;
  }

  complete(index: number, embedded: { readonly vector: Float32Array; readonly tokenCount: number }): void {
    this.#vectors[index] = embedded.vector;
    this.#tokenCounts[index] = embedded.tokenCount;
    this.#missing -= 1;
    this.#running -= 1;
    this.#settle();
  }

  fail(index: number, error: Error): void {
    if (!this.#failure || index < this.#failure.index) this.#failure = { index, error };
    this.#running -= 1;
    this.#settle();
  }

  /** Ends the call at once; what its texts still bring is dropped. */
  abandon(reason: unknown): void {
    this.#outcome.reject(reason);
  }

  /**
   * A failure waits for the texts that run beside it. Texts start in order, so the caller
   * always learns of the first bad one, whichever worker was faster.
   */
  #settle(): void {
    if (this.#failure && this.#running === 0) this.#outcome.reject(this.#failure.error);
    if (this.#missing === 0) {
      this.#outcome.resolve({ vectors: this.#vectors, tokenCounts: this.#tokenCounts });
    }
  }
}
