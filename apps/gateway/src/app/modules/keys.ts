import { createKeyDigest, type KeyDigest } from "@model-gateway/domain/key-text";
import { createKeyAdmin, type KeyAdmin } from "../../keys/key-admin.js";
import { KeyRing } from "../../keys/key-ring.js";
import { LateAdminKey, LateDigest, openKeySecret } from "../../keys/key-secrets.js";
import { KeyUses } from "../../keys/key-uses.js";
import { KeyWatch } from "../../keys/key-watch.js";
import { OperatorKeys } from "../../keys/operator-keys.js";
import type { Foundation } from "./foundation.js";
import { defineModule } from "./module.js";

/** The keys of callers, and the admin key. */
export interface KeyService {
  readonly ring: KeyRing;
  readonly admin: KeyAdmin;
  /** The admin key, and the keys of the configured operators. */
  readonly operators: OperatorKeys;
  /** Of secrets that the database knows by a digest. */
  readonly digest: KeyDigest;
}

/** A revoked key must stop working on every other gateway within a second. */
const pollMs = 500;
const flushUsesMs = 5000;
/** A file on a busy disk may take seconds. A database on a server that is down fails at once. */
const timeoutMs = 5000;
const timeout = () => AbortSignal.timeout(timeoutMs);

export const keys = defineModule({
  name: "keys",
  settings: { restart: ["adminKeySha256", "keySecret"], reload: ["keys", "operators"] },
  open: async (needs: Foundation, settings) => {
    const { storage, log, siblings, onAdminKeyCreated } = needs;
    const { keys: store } = storage;
    const digest = new LateDigest();
    const uses = new KeyUses({
      store,
      timeout,
      onFailure: (failure) => log.debug({ err: failure }, "The last use of keys could not be stored."),
      now: Date.now,
    });
    const ring = new KeyRing({
      configured: settings.keys,
      store,
      digest: digest.digest,
      timeout,
      onUse: (id, at) => uses.record(id, at),
      now: Date.now,
    });
    const watch = openWatch(ring, needs);
    const adminKey = new LateAdminKey(settings.adminKeySha256);
    await storage.availability.join(async () => {
      const stored = createKeyDigest(await openKeySecret(storage.settings, settings.keySecret));
      await watch.begin();
      await adminKey.join({ settings: storage.settings, digest: stored, onCreated: onAdminKeyCreated });
      digest.join(stored);
    });
    // Not only by way of the supervisor, which may not reply.
    const catchUp = async () => void (await Promise.all([watch.catchUp(), siblings?.ask("keys")]));
    const admin = createKeyAdmin({ store, digest: digest.digest, catchUp });
    const operators = new OperatorKeys(adminKey, settings.operators);
    const service: KeyService = { ring, admin, operators, digest: digest.digest };
    return {
      services: { keys: service },
      sweeps: [
        { task: "read_key_changes", everyMs: pollMs, run: () => watch.poll() },
        { task: "store_key_uses", everyMs: flushUsesMs, run: () => uses.flush() },
      ],
      adopt: ({ config }) => {
        ring.configure(config.keys);
        operators.configure(config.operators);
      },
      close: () => uses.close(),
    };
  },
});

function openWatch(ring: KeyRing, { storage, log, siblings }: Foundation): KeyWatch {
  const watch = new KeyWatch({
    store: storage.keys,
    apply: (changed) => ring.apply(changed),
    timeout,
    onFailure: (failure) =>
      log.error({ err: failure }, "Changes of keys cannot be read. Known keys keep working."),
    onRecovery: () => log.info("Changes of keys can be read again."),
  });
  siblings?.answer("keys", () => watch.catchUp());
  return watch;
}
