import { askStore, type KeyStore, type TimeoutSignal } from "./key-store.js";

export interface KeyUsesOptions {
  readonly store: Pick<KeyStore, "touch">;
  readonly timeout: TimeoutSignal;
  readonly onFailure: (failure: unknown) => void;
}

/** Collects the last use of each key in memory, and stores all in one call. */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  #latest = new Map<string, number>();
  #flushing: Promise<void> | undefined;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  record(id: string, at: number): void {
    this.#latest.set(id, at);
  }

  /** Writes the collected uses. If the store fails, they are kept for the next flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    if (this.#latest.size === 0) return;
    const recorded = this.#latest;
    this.#latest = new Map();
    const { store, timeout, onFailure } = this.#options;
    try {
      await askStore(store.touch(recorded), timeout);
    } catch (failure) {
      this.#latest = new Map([...recorded, ...this.#latest]);
      onFailure(failure);
    }
  }
}
