import { GatewayError } from "@model-gateway/domain/errors";
import type { Storage } from "../../../src/storage/open-storage.js";
import { openTestStorage } from "../../gateway/in-process.js";

/** The state of the database: working, unavailable, or with a bug in it. */
export type StorageCondition = "well" | "unavailable" | "faulty";

export interface FaultyStorage {
  readonly open: typeof openTestStorage;
  /** The real storage, in any condition. */
  storage(): Storage;
  /** The folder of its database. */
  dataDir(): string;
  /** Runs something while the storage has a fault. */
  during<T>(condition: StorageCondition, run: () => Promise<T>): Promise<T>;
}

/** A real database that can be made unavailable. */
export function createFaultyStorage(): FaultyStorage {
  let condition: StorageCondition = "well";
  let opened: Storage | undefined;
  let dataDir = "";
  const faulty = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        if (condition === "well") return method.bind(target);
        return () =>
          Promise.reject(
            condition === "unavailable"
              ? databaseUnavailable()
              : new TypeError("Cannot read properties of undefined"),
          );
      },
    });
  return {
    open: async (config, log) => {
      opened = await openTestStorage(config, log);
      dataDir = config.dataDir;
      const { keys, ledger, sessions, spaces, comparisons, files, jobs, batches } = opened;
      return {
        ...opened,
        keys: faulty(keys),
        ledger: faulty(ledger),
        sessions: faulty(sessions),
        spaces: faulty(spaces),
        comparisons: faulty(comparisons),
        files: faulty(files),
        batches: faulty(batches),
        jobs: faulty(jobs),
      };
    },
    storage: () => opened as Storage,
    dataDir: () => dataDir,
    during: async (wanted, run) => {
      condition = wanted;
      return run().finally(() => {
        condition = "well";
      });
    },
  };
}

function databaseUnavailable(): GatewayError {
  return new GatewayError("storage_unavailable", "The database is unavailable.", { retryAfterMs: 1000 });
}
