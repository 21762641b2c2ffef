import { askStore, type KeyStore, type TimeoutSignal } from "./key-store.js";

export interface KeyUsesNeeds {
  readonly store: Pick<KeyStore, "touch">;
  readonly patience: TimeoutSignal;
  readonly onFailure: (failure: unknown) => void;
}

/** Remembers when keys were last used, and writes it down now and then. There are no more entries than keys. */
export class KeyUses {
  readonly #needs: KeyUsesNeeds;
  #latest = new Map<string, number>();
  #writing: Promise<void> | undefined;

  constructor(needs: KeyUsesNeeds) {
    this.#needs = needs;
  }

  note(id: string, at: number): void {
    this.#latest.set(id, at);
  }

  /** Writes down what has been noted. What cannot be written is kept for the next time. */
  write(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#latest.size === 0) return;
    const noted = this.#latest;
    this.#latest = new Map();
    const { store, patience, onFailure } = this.#needs;
    try {
      await askStore(store.touch(noted), patience);
    } catch (failure) {
      this.#latest = new Map([...noted, ...this.#latest]);
      onFailure(failure);
    }
  }
}
