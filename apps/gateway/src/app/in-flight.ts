/** Counts the requests in flight on a pipeline, and drains them before it is closed. */
export class InFlight {
  #count = 0;
  #onEmpty: (() => void) | undefined;

  begin(): void {
    this.#count += 1;
  }

  /** An image that other callers wait for is in flight until it is finished, even when its own caller has left. */
  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#onEmpty?.();
  }

  /** Resolves when the last request is finished. No new one may begin. */
  async drain(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
