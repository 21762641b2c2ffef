import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import { createKeyAdmin, type KeyAdmin } from "../keys/key-admin.js";
import { KeyRing } from "../keys/key-ring.js";
import { type AdminKey, openAdminKey, openKeySecret } from "../keys/key-secrets.js";
import { createKeyDigest } from "../keys/key-text.js";
import { KeyUses } from "../keys/key-uses.js";
import { KeyWatch } from "../keys/key-watch.js";
import type { Storage } from "../storage/open-storage.js";

/** All that has to do with who may call. */
export interface KeyService {
  readonly ring: KeyRing;
  readonly admin: KeyAdmin;
  readonly adminKey: AdminKey;
  /** Writes down when keys were last used. */
  close(): Promise<void>;
}

export interface KeyServiceNeeds {
  readonly config: Config;
  readonly storage: Storage;
  readonly log: Logger;
}

/** Twice in the second within which a revoked key must stop to work on every gateway. */
const lookMs = 500;
const writeUsesMs = 5000;
const patienceMs = 2000;

export async function openKeyService({ config, storage, log }: KeyServiceNeeds): Promise<KeyService> {
  const { keys: store, settings } = storage;
  const digest = createKeyDigest(await openKeySecret(settings, config.keySecret));
  const patience = () => AbortSignal.timeout(patienceMs);
  const uses = new KeyUses({
    store,
    patience,
    onFailure: (failure) => log.debug({ err: failure }, "The last use of keys could not be written down."),
  });
  const ring = new KeyRing({
    configured: config.keys,
    store,
    digest,
    patience,
    onUse: (id, at) => uses.note(id, at),
    now: Date.now,
  });
  const watch = await KeyWatch.open({
    store,
    apply: (changed) => ring.apply(changed),
    patience,
    onFailure: (failure) =>
      log.error({ err: failure }, "Changes of keys cannot be read; known keys go on working."),
    onRecovery: () => log.info("Changes of keys can be read again."),
  });
  const adminKey = await openAdminKey({ sha256: config.adminKeySha256, settings, digest });
  const timers = [
    setInterval(() => void watch.look(), lookMs),
    setInterval(() => void uses.write(), writeUsesMs),
  ];
  for (const timer of timers) timer.unref();
  return {
    ring,
    admin: createKeyAdmin({ store, digest, catchUp: () => watch.catchUp() }),
    adminKey,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await uses.write();
    },
  };
}
