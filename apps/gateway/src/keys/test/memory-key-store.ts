import type { KeyStore, NewKey, Rotation, Settings, StoredKey } from "../key-store.js";

/** A key store in memory whose replies can be delayed or failed. */
export class MemoryKeyStore
  implements
    Pick<
      KeyStore,
      | "create"
      | "change"
      | "rotate"
      | "revoke"
      | "find"
      | "findByDigest"
      | "latestRevision"
      | "changesSince"
      | "touch"
    >
{
  readonly touched: [string, number][][] = [];
  /** The number of `find` and `findByDigest` calls. */
  lookups = 0;
  /** While it is set, every reply waits for it. */
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

  /** The clock stands at 0. */
  async rotate(id: string, { overlapMs, ...secret }: Rotation): Promise<StoredKey | undefined> {
    const found = this.#keys.get(id)?.key;
    if (found === undefined) return undefined;
    const { digest, lastFour } = found;
    const oldSecrets = overlapMs === 0 ? [] : [{ digest, lastFour, expiresAt: overlapMs }];
    return this.#put({ ...found, ...secret, oldSecrets });
  }

  async revoke(id: string): Promise<StoredKey | undefined> {
    const found = this.#keys.get(id);
    return found && this.#put({ ...found.key, revokedAt: 1 });
  }

  async find(id: string): Promise<StoredKey | undefined> {
    this.lookups += 1;
    const found = this.#keys.get(id)?.key;
    await this.gate;
    return found;
  }

  async findByDigest(digest: Buffer): Promise<StoredKey | undefined> {
    this.lookups += 1;
    const isSecretOf = ({ key }: { readonly key: StoredKey }) =>
      [key, ...(key.oldSecrets ?? [])].some((secret) => secret.digest.equals(digest));
    const found = [...this.#keys.values()].find(isSecretOf)?.key;
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

/** Settings in memory, with their values exposed. */
export function createMemorySettings(): Settings & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getOrCreate: async (name, create) => {
      const isNew = !values.has(name);
      if (isNew) values.set(name, create());
      return { value: values.get(name) ?? "", isNew };
    },
  };
}
