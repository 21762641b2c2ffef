import { askStore, type KeyStore, type StoredKey, type TimeoutSignal } from "./key-store.js";

export interface KeyWatchNeeds {
  readonly store: Pick<KeyStore, "changesSince" | "latestRevision">;
  readonly apply: (changed: readonly StoredKey[]) => void;
  readonly patience: TimeoutSignal;
  /** Told once when changes cannot be read, and once when they can again. */
  readonly onFailure: (failure: unknown) => void;
  readonly onRecovery: () => void;
}

/** Even if every key were changed at once, one round ends. */
const partsMax = 1000;

/** Follows what happens to keys, be it here or on another gateway. */
export class KeyWatch {
  readonly #needs: KeyWatchNeeds;
  #revision: number;
  #round: Promise<void> | undefined;
  #isFailing = false;

  private constructor(needs: KeyWatchNeeds, revision: number) {
    this.#needs = needs;
    this.#revision = revision;
  }

  /** Changes from now on; what is read later is newer than all before it. */
  static async open(needs: KeyWatchNeeds): Promise<KeyWatch> {
    return new KeyWatch(needs, await needs.store.latestRevision());
  }

  /** Takes over what has changed. There is one round at a time; who comes during one waits for its end. */
  look(): Promise<void> {
    this.#round ??= this.#read().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Takes over what has changed until now, also what the round that is under way may have missed. */
  async catchUp(): Promise<void> {
    await this.#round;
    await this.look();
  }

  async #read(): Promise<void> {
    try {
      for (let part = 0; part < partsMax; part += 1) {
        const { store, patience, apply } = this.#needs;
        const { revision, keys } = await askStore(store.changesSince(this.#revision), patience);
        this.#revision = revision;
        apply(keys);
        if (keys.length === 0) break;
      }
      if (this.#isFailing) this.#needs.onRecovery();
      this.#isFailing = false;
    } catch (failure) {
      if (!this.#isFailing) this.#needs.onFailure(failure);
      this.#isFailing = true;
    }
  }
}
