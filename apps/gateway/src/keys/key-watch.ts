import { askStore, type KeyStore, type StoredKey, type TimeoutSignal } from "./key-store.js";

interface KeyWatchOptions {
  readonly store: Pick<KeyStore, "changesSince" | "latestRevision">;
  readonly apply: (changed: readonly StoredKey[]) => void;
  readonly timeout: TimeoutSignal;
  /** Called once when changes cannot be read, not for every poll that fails. */
  readonly onFailure: (failure: unknown) => void;
  /** Called once when changes can be read again. */
  readonly onRecovery: () => void;
}

/** A poll ends even if keys change as fast as it reads. */
const pagesMax = 1000;

/** Follows changes of keys, by this gateway or by another. */
export class KeyWatch {
  readonly #options: KeyWatchOptions;
  #revision: number | undefined;
  #polling: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: KeyWatchOptions) {
    this.#options = options;
  }

  /** Watches changes from now on. Keys that are looked up later are newer than all changes before. */
  async begin(): Promise<void> {
    this.#revision ??= await this.#options.store.latestRevision();
  }

  /** Applies new changes. One poll runs at a time; a call during a poll shares its promise. */
  poll(): Promise<void> {
    this.#polling ??= this.#read().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  /** Applies all changes from before this call. A poll in flight may have missed some, so another one follows. */
  async catchUp(): Promise<void> {
    await this.#polling;
    await this.poll();
  }

  async #read(): Promise<void> {
    try {
      for (let page = 0; page < pagesMax; page += 1) {
        const { store, timeout, apply } = this.#options;
        if (this.#revision === undefined) return;
        const { revision, keys } = await askStore(store.changesSince(this.#revision), timeout);
        this.#revision = revision;
        apply(keys);
        if (keys.length === 0) break;
      }
      if (this.#isFailing) this.#options.onRecovery();
      this.#isFailing = false;
    } catch (failure) {
      if (!this.#isFailing) this.#options.onFailure(failure);
      this.#isFailing = true;
    }
  }
}
