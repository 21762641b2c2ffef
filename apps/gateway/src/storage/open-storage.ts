import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { ResponseStore } from "../images/idempotency/response-store.js";
import type { KeyStore, Settings } from "../keys/key-store.js";
import type { LedgerStore } from "../usage/ledger/ledger-store.js";
import type { RetentionStore } from "../usage/ledger/retention.js";
import type { AlertStore } from "../webhooks/budget-alerts.js";
import { createAlertStore } from "./alerts/alert-store.js";
import { openDatabase } from "./database/open-database.js";
import {
  type DatabaseResponseStoreOptions,
  openDatabaseResponseStore,
} from "./images/database-response-store.js";
import { createKeyStore } from "./keys/key-store.js";
import { createSettings } from "./keys/settings.js";
import { createLedgerStore } from "./ledger/ledger-store.js";
import { createRetentionStore } from "./ledger/retention-store.js";

/** Persistent data, shared by all gateways on one database. */
export interface Storage {
  readonly keys: KeyStore;
  readonly ledger: LedgerStore;
  readonly retention: RetentionStore;
  readonly settings: Settings;
  readonly alerts: AlertStore;
  /** Opens the store of idempotent responses that replicas share. Undefined on SQLite, where they are kept on disk. */
  readonly openResponseStore: ((options: DatabaseResponseStoreOptions) => Promise<ResponseStore>) | undefined;
  close(): Promise<void>;
}

/** Opens PostgreSQL if it is configured, else SQLite in the data folder. */
export async function openStorage({ dataDir, databaseUrl }: Config, log: Logger): Promise<Storage> {
  const database = await openDatabase({
    dataDir,
    ...(databaseUrl === undefined ? {} : { url: databaseUrl }),
    onFailure: (failure) => log.warn({ err: failure }, "An idle database connection broke."),
  });
  return {
    keys: createKeyStore(database, { now: Date.now }),
    ledger: createLedgerStore(database),
    retention: createRetentionStore(database, { now: Date.now }),
    settings: createSettings(database),
    alerts: createAlertStore(database, { now: Date.now }),
    openResponseStore:
      database.kind === "postgres" ? (options) => openDatabaseResponseStore(database, options) : undefined,
    close: () => database.close(),
  };
}
