import { askStore, type KeyStore, type TimeoutSignal } from "./key-store.js";

interface KeyUsesOptions {
  readonly store: Pick<KeyStore, "touch">;
  readonly timeout: TimeoutSignal;
  readonly onFailure: (failure: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A key that is used all the time is stored this often. Otherwise each replica would write each key with each flush. */
export const storedEveryMs = 60_000;
/** Keys whose last write is remembered. One that is forgotten is stored early. */
const rememberedMax = 10_000;

/** Collects the last use of each key in memory, and stores those that are due in one call. */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  #latest = new Map<string, number>();
  /** When each key was last stored. */
  readonly #storedAt = new Map<string, number>();
  #flushing: Promise<void> | undefined;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  record(id: string, at: number): void {
    this.#latest.set(id, at);
  }

  /** Writes the uses that are due. If the store fails, they are kept for the next flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush(({ id }) => this.#isDue(id)).finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Writes all uses that are left. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.#flush(() => true);
  }

  #isDue(id: string): boolean {
    const storedAt = this.#storedAt.get(id);
    // A clock that was set back must not delay it.
    return storedAt === undefined || Math.abs(this.#options.now() - storedAt) >= storedEveryMs;
  }

  async #flush(isWritten: (use: { readonly id: string }) => boolean): Promise<void> {
    const written = new Map([...this.#latest].filter(([id]) => isWritten({ id })));
    if (written.size === 0) return;
    for (const id of written.keys()) this.#latest.delete(id);
    const { store, timeout, onFailure, now } = this.#options;
    try {
      await askStore(store.touch(written), timeout);
      if (this.#storedAt.size + written.size > rememberedMax) this.#storedAt.clear();
      for (const id of written.keys()) this.#storedAt.set(id, now());
    } catch (failure) {
      this.#latest = new Map([...written, ...this.#latest]);
      onFailure(failure);
    }
  }
}
