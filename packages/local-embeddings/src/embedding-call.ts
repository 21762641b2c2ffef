export interface EmbeddingResult {
  readonly vectors: readonly Float32Array[];
  /** The token count of each text, including special tokens. */
  readonly tokenCounts: readonly number[];
}

/** One call to `embed`, whose texts run in several workers. */
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

  /** A worker starts one of the texts. */
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

  /** Rejects the call at once. Later results of its texts are dropped. */
  abandon(reason: unknown): void {
    this.#outcome.reject(reason);
  }

  /**
   * A failure waits for the texts that are running. Texts start in order, so the error always names the first bad
   * text, whichever worker was faster.
   */
  #settle(): void {
    if (this.#failure && this.#running === 0) this.#outcome.reject(this.#failure.error);
    if (this.#missing === 0) {
      this.#outcome.resolve({ vectors: this.#vectors, tokenCounts: this.#tokenCounts });
    }
  }
}

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

/** `Promise.withResolvers`, which Node has from version 22 on. */
function deferred<Value>(): Deferred<Value> {
  // The executor runs synchronously, so both are replaced before they can be used.
  let resolve: (value: Value) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<Value>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}
