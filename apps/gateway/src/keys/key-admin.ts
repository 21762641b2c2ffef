import type { KeyChanges, KeyStore, NewKey, StoredKey } from "./key-store.js";
import { type KeyDigest, makeKeyText } from "./key-text.js";

/** What an operator does with keys. What is done has been heard of here by the time it is answered. */
export interface KeyAdmin extends Pick<KeyStore, "list" | "find" | "change" | "revoke"> {
  /** The text of the key is not to be had again. */
  create(
    key: Omit<NewKey, "digest" | "lastFour">,
  ): Promise<{ readonly key: StoredKey; readonly text: string }>;
}

export interface KeyAdminNeeds {
  readonly store: KeyStore;
  readonly digest: KeyDigest;
  /** Has this gateway hear of changes. */
  readonly catchUp: () => Promise<void>;
}

const idForm = /^key_[0-9a-f]{24}$/;
const lastLetters = 4;

export function createKeyAdmin({ store, digest, catchUp }: KeyAdminNeeds): KeyAdmin {
  /** Undefined where there can be no such key. */
  const ofKey = async (id: string, act: () => Promise<StoredKey | undefined>) =>
    idForm.test(id) ? act() : undefined;
  const heardOf = async (key: StoredKey | undefined) => {
    await catchUp();
    return key;
  };
  return {
    list: (page) => store.list(page),
    find: (id) => ofKey(id, () => store.find(id)),
    create: async (key) => {
      const text = makeKeyText("mg_");
      const stored = await store.create({ ...key, digest: digest(text), lastFour: text.slice(-lastLetters) });
      return { key: stored, text };
    },
    change: (id: string, changes: KeyChanges) =>
      ofKey(id, async () => heardOf(await store.change(id, changes))),
    revoke: (id) => ofKey(id, async () => heardOf(await store.revoke(id))),
  };
}
