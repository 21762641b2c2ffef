import { GatewayError } from "../../../src/errors.js";
import { openStorage, type Storage } from "../../../src/storage/open-storage.js";

/** How the database does: as it should, not to be reached, or with a bug in it. */
export type StorageMood = "well" | "unavailable" | "faulty";

export interface MoodyStorage {
  readonly open: typeof openStorage;
  /** The storage as it is, whatever its mood. */
  storage(): Storage;
  /** Runs something while the storage is in a mood. */
  during<T>(mood: StorageMood, run: () => Promise<T>): Promise<T>;
}

/** A real database that can be made unavailable. */
export function createMoodyStorage(): MoodyStorage {
  let mood: StorageMood = "well";
  let opened: Storage | undefined;
  const moody = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name, receiver) => {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== "function" || mood === "well") return method;
        return () =>
          Promise.reject(mood === "unavailable" ? databaseUnavailable() : new TypeError("Cannot read properties of undefined"));
      },
    });
  return {
    open: async (config, log) => {
      opened = await openStorage(config, log);
      const { keys, ledger, sessions, spaces } = opened;
      return {
        ...opened,
        keys: moody(keys),
        ledger: moody(ledger),
        sessions: moody(sessions),
        spaces: moody(spaces),
      };
    },
    storage: () => opened as Storage,
    during: async (wanted, run) => {
      mood = wanted;
      return run().finally(() => {
        mood = "well";
      });
    },
  };
}

function databaseUnavailable(): GatewayError {
  return new GatewayError("storage_unavailable", "The database is unavailable.", { retryAfterMs: 1000 });
}
