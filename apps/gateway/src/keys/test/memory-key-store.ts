import type { KeyStore, NewKey, Settings, StoredKey } from "../key-store.js";

/** A store for tests that can be held up or taken away. */
export class MemoryKeyStore
  implements
    Pick<
      KeyStore,
      "create" | "change" | "revoke" | "findByDigest" | "latestRevision" | "changesSince" | "touch"
    >
{
  readonly touched: [string, number][][] = [];
  /** How many times it was asked for a key. */
  lookups = 0;
  /** While it is set, every answer waits for it. */
  gate: Promise<unknown> | undefined;
  #keys = new Map<string, { readonly key: StoredKey; readonly revision: number }>();
  #revision = 0;

  async create(key: NewKey): Promise<StoredKey> {
    return this.#put({ ...key, id: `key_${this.#keys.size}`, createdAt: 0 });
  }

  async change(id: string, changes: { isDisabled?: boolean; name?: string }): Promise<StoredKey | undefined> {
    const found = this.#keys.get(id);
    return found && this.#put({ ...found.key, ...changes });
  }

  async revoke(id: string): Promise<StoredKey | undefined> {
    const found = this.#keys.get(id);
    return found && this.#put({ ...found.key, revokedAt: 1 });
  }

  async findByDigest(digest: Buffer): Promise<StoredKey | undefined> {
    this.lookups += 1;
    const found = [...this.#keys.values()].find(({ key }) => key.digest.equals(digest))?.key;
    await this.gate;
    return found;
  }

  async latestRevision(): Promise<number> {
    return this.#revision;
  }

  async changesSince(since: number): ReturnType<KeyStore["changesSince"]> {
    const keys = [...this.#keys.values()].filter(({ revision }) => revision > since).map(({ key }) => key);
    const revision = this.#revision;
    await this.gate;
    return { revision, keys };
  }

  async touch(lastUsedAt: ReadonlyMap<string, number>): Promise<void> {
    await this.gate;
    this.touched.push([...lastUsedAt]);
  }

  #put(key: StoredKey): StoredKey {
    this.#revision += 1;
    this.#keys.set(key.id, { key, revision: this.#revision });
    return key;
  }
}

/** Settings for tests, which outlive whoever opens them. */
export function createMemorySettings(): Settings & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    settleOnce: async (name, make) => {
      const isNew = !values.has(name);
      if (isNew) values.set(name, make());
      return { value: values.get(name) ?? "", isNew };
    },
  };
}
