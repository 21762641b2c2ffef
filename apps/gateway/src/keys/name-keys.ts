import type { AccessKey } from "@model-gateway/domain/access-key";
import type { KeyLabel, KeyStore } from "./key-store.js";

/** Looks up the current names and owners of keys, with one query for all of them. */
export type NameKeys = (ids: readonly string[]) => Promise<(id: string) => KeyLabel>;

interface NameKeysOptions {
  readonly store: Pick<KeyStore, "findLabels">;
  /** Keys that are not in the database. */
  readonly others: readonly AccessKey[];
}

export function createNameKeys({ store, others }: NameKeysOptions): NameKeys {
  const known = new Map(others.map(({ id, name, owner = null }) => [id, { name, owner }]));
  return async (ids) => {
    const wanted = [...new Set(ids)].filter((id) => !known.has(id));
    const stored = wanted.length === 0 ? undefined : await store.findLabels(wanted);
    // A key that was removed from the file has its name in its id.
    return (id) => known.get(id) ?? stored?.get(id) ?? { name: id.replace(/^config:/, ""), owner: null };
  };
}
