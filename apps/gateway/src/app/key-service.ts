import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import { every } from "../domain/every.js";
import type { Siblings } from "../domain/siblings.js";
import { createKeyAdmin, type KeyAdmin } from "../keys/key-admin.js";
import { KeyRing } from "../keys/key-ring.js";
import { type AdminKey, LateAdminKey, LateDigest, openKeySecret } from "../keys/key-secrets.js";
import { createKeyDigest, type KeyDigest } from "../keys/key-text.js";
import { KeyUses } from "../keys/key-uses.js";
import { KeyWatch } from "../keys/key-watch.js";
import type { Storage } from "../storage/open-storage.js";

/** The keys of callers, and the admin key. */
export interface KeyService {
  readonly ring: KeyRing;
  readonly admin: KeyAdmin;
  readonly adminKey: AdminKey;
  /** Of secrets that the database knows by a digest. */
  readonly digest: KeyDigest;
  /** Stores when keys were last used. */
  close(): Promise<void>;
}

interface KeyServiceOptions {
  readonly config: Config;
  readonly storage: Storage;
  readonly log: Logger;
  /** All workers of this gateway, where there are several. */
  readonly siblings?: Siblings;
  /** Called when this start has created the admin key, before anything else can fail. */
  readonly onAdminKeyCreated: (text: string) => void;
}

/** A revoked key must stop working on every other gateway within a second. */
const pollMs = 500;
const flushUsesMs = 5000;
/** A file on a busy disk may take seconds. A database on a server that is down fails at once. */
const timeoutMs = 5000;

export async function openKeyService(options: KeyServiceOptions): Promise<KeyService> {
  const { config, storage, log, siblings } = options;
  const { keys: store, settings } = storage;
  const digest = new LateDigest();
  const timeout = () => AbortSignal.timeout(timeoutMs);
  const uses = new KeyUses({
    store,
    timeout,
    onFailure: (failure) => log.debug({ err: failure }, "The last use of keys could not be stored."),
    now: Date.now,
  });
  const ring = new KeyRing({
    configured: config.keys,
    store,
    digest: digest.digest,
    timeout,
    onUse: (id, at) => uses.record(id, at),
    now: Date.now,
  });
  const watch = new KeyWatch({
    store,
    apply: (changed) => ring.apply(changed),
    timeout,
    onFailure: (failure) =>
      log.error({ err: failure }, "Changes of keys cannot be read. Known keys keep working."),
    onRecovery: () => log.info("Changes of keys can be read again."),
  });
  siblings?.answer("keys", () => watch.catchUp());
  const adminKey = new LateAdminKey(config.adminKeySha256);
  await storage.availability.join(async () => {
    const stored = createKeyDigest(await openKeySecret(settings, config.keySecret));
    await watch.begin();
    await adminKey.join({ settings, digest: stored, onCreated: options.onAdminKeyCreated });
    digest.join(stored);
  });
  const repeated = [
    every(pollMs, () => watch.poll(), { task: "read_key_changes" }),
    every(flushUsesMs, () => uses.flush(), { task: "store_key_uses" }),
  ];
  return {
    ring,
    admin: createKeyAdmin({
      store,
      digest: digest.digest,
      catchUp: async () => {
        // Not only by way of the supervisor, which may not reply.
        await Promise.all([watch.catchUp(), siblings?.ask("keys")]);
      },
    }),
    adminKey,
    digest: digest.digest,
    close: async () => {
      for (const one of repeated) void one.stop();
      await uses.close();
    },
  };
}
