import type { Config } from "@model-gateway/config/config";
import { probesVersion } from "@model-gateway/vector-check/probes";
import { compareSpaces } from "@model-gateway/vector-check/spaces";
import type { Logger } from "pino";
import type { BatchStore } from "../batches/batch-store.js";
import type { FileIndex } from "../files/file-index.js";
import type { ResponseStore } from "../images/idempotency/response-store.js";
import type { JobStore } from "../jobs/job-store.js";
import type { KeyStore, Settings } from "../keys/key-store.js";
import type { SessionStore } from "../sessions/session-store.js";
import type { ComparisonStore } from "../spaces/comparison-store.js";
import type { SpaceStore } from "../spaces/space-store.js";
import type { LedgerStore } from "../usage/ledger/ledger-store.js";
import type { RetentionStore } from "../usage/ledger/retention.js";
import type { DeliveryStore } from "../webhooks/delivery-store.js";
import { DatabaseBatchStore } from "./batches/batch-store.js";
import type { DatabaseAvailability, DatabaseWatchOptions } from "./database/database-watch.js";
import { type DatabaseBounds, openDatabaseFile, watchDatabase } from "./database/open-database.js";
import { DatabaseFileIndex } from "./files/file-index.js";
import {
  type DatabaseResponseStoreOptions,
  openDatabaseResponseStore,
} from "./images/database-response-store.js";
import { DatabaseJobStore } from "./jobs/job-store.js";
import { DatabaseKeyStore } from "./keys/key-store.js";
import { createSessionStore } from "./keys/session-store.js";
import { createSettings } from "./keys/settings.js";
import { DatabaseLedgerStore } from "./ledger/ledger-store.js";
import { createRetentionStore } from "./ledger/retention-store.js";
import { siteOf } from "./site.js";
import { createComparisonStore } from "./spaces/comparison-store.js";
import { DatabaseSpaceStore } from "./spaces/space-store.js";
import { DatabaseDeliveryStore } from "./webhooks/delivery-store.js";

/** Persistent data, shared by all gateways on one database. */
export interface Storage {
  readonly keys: KeyStore;
  readonly sessions: SessionStore;
  readonly ledger: LedgerStore;
  readonly retention: RetentionStore;
  readonly settings: Settings;
  readonly spaces: SpaceStore;
  readonly comparisons: ComparisonStore;
  readonly files: FileIndex;
  readonly batches: BatchStore;
  readonly jobs: JobStore;
  /** Events on their way to webhooks. */
  readonly deliveries: DeliveryStore;
  readonly availability: DatabaseAvailability;
  /** Opens the store of idempotent responses that replicas share. Undefined on SQLite, where they are kept on disk. */
  readonly openResponseStore: ((options: DatabaseResponseStoreOptions) => Promise<ResponseStore>) | undefined;
  close(): Promise<void>;
}

export type StorageSettings = Pick<Config, "dataDir" | "databaseUrl" | "databaseConnectionsMax" | "images">;

/** Opens PostgreSQL if it is configured, else SQLite in the data folder. */
export async function openStorage(
  config: StorageSettings,
  log: Logger,
  bounds: Partial<DatabaseBounds> = {},
): Promise<Storage> {
  const { database, availability } = await openDatabase(config, log, bounds);
  const site = await siteOf(config);
  const batches = new DatabaseBatchStore(database, { site, now: Date.now });
  const jobs = new DatabaseJobStore(database, { site, now: Date.now });
  const deliveries = new DatabaseDeliveryStore(database, { now: Date.now });
  await availability.join(async () => {
    for (const work of [batches, jobs, deliveries]) await work.endLeases();
  });
  return {
    availability,
    batches,
    keys: new DatabaseKeyStore(database, { now: Date.now }),
    sessions: createSessionStore(database),
    ledger: new DatabaseLedgerStore(database),
    retention: createRetentionStore(database, { now: Date.now }),
    settings: createSettings(database),
    spaces: new DatabaseSpaceStore(database, {
      now: Date.now,
      probesVersion,
      compare: (left, right) => compareSpaces(left, right).cosineMin,
    }),
    comparisons: createComparisonStore(database),
    files: new DatabaseFileIndex(database, { site, now: Date.now }),
    jobs,
    deliveries,
    openResponseStore:
      database.kind === "postgres" ? (options) => openDatabaseResponseStore(database, options) : undefined,
    close: () => database.close(),
  };
}

function openDatabase(config: StorageSettings, log: Logger, bounds: Partial<DatabaseBounds>) {
  const { dataDir, databaseUrl: url, databaseConnectionsMax: connectionsMax } = config;
  const onFailure = (failure: unknown) => log.debug({ err: failure }, "An idle database connection broke.");
  if (url === undefined) return openDatabaseFile({ dataDir, onFailure, bounds }, watchLog(log));
  return watchDatabase({ dataDir, url, onFailure, bounds: { connectionsMax, ...bounds } }, watchLog(log));
}

/** One line when the database goes down, and one when it is back. */
function watchLog(log: Logger): Pick<DatabaseWatchOptions, "onChange" | "onJoinFailed"> {
  return {
    onChange: (state, failure) => {
      if (state === "available") log.info("The database is back.");
      else
        log.error(
          { err: failure },
          "The database is unavailable. Known keys and those of the configuration work; ledger rows wait on disk.",
        );
    },
    onJoinFailed: (failure) =>
      log.error(
        { err: failure },
        "The database is there, but its keys cannot be used. This is tried again every second.",
      ),
  };
}
