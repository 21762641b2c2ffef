import { createKeyText, type KeyDigest } from "@model-gateway/domain/key-text";
import type { KeyChanges, KeyStore, NewKey, StoredKey } from "./key-store.js";

/** The operator's operations on keys. A change has taken effect on this machine by the time its promise resolves. */
export interface KeyAdmin extends Pick<KeyStore, "list" | "find" | "change" | "revoke"> {
  /** Returns the text of the key. It is not stored, so this is the only time. */
  create(
    key: Omit<NewKey, "digest" | "lastFour">,
  ): Promise<{ readonly key: StoredKey; readonly text: string }>;
  /** The same for a new secret of a key. A revoked key does not change, and its text is useless. */
  rotate(
    id: string,
    overlapMs: number,
  ): Promise<{ readonly key: StoredKey; readonly text: string } | undefined>;
}

interface KeyAdminOptions {
  readonly store: KeyStore;
  readonly digest: KeyDigest;
  /** Applies the latest changes of keys in this process and in the other workers. */
  readonly catchUp: () => Promise<void>;
}

const idPattern = /^key_[0-9a-f]{24}$/;
const lastLetters = 4;

export function createKeyAdmin({ store, digest, catchUp }: KeyAdminOptions): KeyAdmin {
  /** Skips the store for an id that cannot exist. */
  const ifIdIsValid = async (id: string, act: () => Promise<StoredKey | undefined>) =>
    idPattern.test(id) ? act() : undefined;
  const afterCatchUp = async (key: StoredKey | undefined) => {
    await catchUp();
    return key;
  };
  const createSecret = () => {
    const text = createKeyText("mg_");
    return { text, digest: digest(text), lastFour: text.slice(-lastLetters) };
  };
  return {
    list: (query) => store.list(query),
    find: (id) => ifIdIsValid(id, () => store.find(id)),
    create: async (key) => {
      const { text, ...secret } = createSecret();
      return { key: await store.create({ ...key, ...secret }), text };
    },
    rotate: async (id, overlapMs) => {
      const { text, ...secret } = createSecret();
      const key = await ifIdIsValid(id, async () =>
        afterCatchUp(await store.rotate(id, { ...secret, overlapMs })),
      );
      return key && { key, text };
    },
    change: (id: string, changes: KeyChanges) =>
      ifIdIsValid(id, async () => afterCatchUp(await store.change(id, changes))),
    revoke: (id) => ifIdIsValid(id, async () => afterCatchUp(await store.revoke(id))),
  };
}
