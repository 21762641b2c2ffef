import { setTimeout as wait } from "node:timers/promises";
import { GatewayError, storageUnavailable } from "@model-gateway/domain/errors";
import { withTimeout } from "@model-gateway/runtime/with-timeout";

type DatabaseState = "available" | "unavailable";

/** Whether the database can be used, and work that waits until it can. */
export interface DatabaseAvailability {
  readonly state: () => DatabaseState;
  /**
   * Runs a task that must precede any use of the database: now, or once the database is there. Rejects if it fails now
   * for any other reason than an absent database.
   */
  join(task: () => Promise<void>): Promise<void>;
}

export interface DatabaseProbe {
  /** Rejects if the database does not reply. It may take any time. */
  run(): Promise<void>;
  /** Closes its connection. The next run opens another one. */
  reset(): void;
}

export interface DatabaseWatchOptions {
  readonly probe: DatabaseProbe;
  /** Called once when the database goes down, and once when it is back. */
  readonly onChange: (state: DatabaseState, failure?: unknown) => void;
  /** Called when a task fails that waited for the database. It is tried again. */
  readonly onJoinFailed: (failure: unknown) => void;
  /** Overrides the defaults, in tests. */
  readonly times?: Partial<WatchTimes>;
}

interface WatchTimes {
  /** The rest between two probes. */
  readonly everyMs: number;
  /** Time limit of one probe. */
  readonly probeMs: number;
  /** Work that takes longer causes a probe at once. */
  readonly slowMs: number;
}

/** Together, a database that hangs is down after less than two seconds. */
const defaultTimes: WatchTimes = { everyMs: 1000, probeMs: 700, slowMs: 250 };

/**
 * Watches a database on a server. While it is down, work on it fails at once instead of after a timeout, and work in
 * flight fails when it goes down. Two probes in a row must fail, the second one on a new connection, so neither a
 * broken connection nor a busy moment counts as an outage. Slow work is not an outage as long as probes succeed.
 */
export class DatabaseWatch implements DatabaseAvailability {
  readonly #options: DatabaseWatchOptions;
  readonly #times: WatchTimes;
  readonly #inFlight = new Set<(failure: Error) => void>();
  readonly #closing = new AbortController();
  #tasks: (() => Promise<void>)[] = [];
  /** Set until the schema is current. */
  #migrate: (() => Promise<void>) | undefined;
  #checking: Promise<void> | undefined;
  #state: DatabaseState = "unavailable";
  #hasJoinFailed = false;

  constructor(options: DatabaseWatchOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
  }

  readonly state = (): DatabaseState => this.#state;

  /**
   * Probes the database for the first time, migrates it, and watches it from then on.
   * @param migrate Runs before the database is available for the first time.
   * @returns Rejects if the database is there but cannot be used.
   */
  async open(migrate: () => Promise<void>): Promise<void> {
    try {
      await this.#probeTwice();
      await migrate();
      this.#state = "available";
    } catch (failure) {
      if (!isUnavailable(failure)) throw failure;
      this.#options.onChange("unavailable", failure);
      this.#migrate = migrate;
    }
    void this.#run();
  }

  async join(task: () => Promise<void>): Promise<void> {
    try {
      if (this.#state === "unavailable") this.#tasks.push(task);
      else await task();
    } catch (failure) {
      if (!isUnavailable(failure)) throw failure;
      this.#tasks.push(task);
    }
  }

  /** Waits for work on the database, unless the database is down or goes down meanwhile. */
  guard<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#state === "unavailable") return Promise.reject(databaseUnavailable());
    return new Promise((resolve, reject) => {
      const slow = setTimeout(() => void this.#check(), this.#times.slowMs);
      this.#inFlight.add(reject);
      begin()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(slow);
          this.#inFlight.delete(reject);
        });
    });
  }

  close(): void {
    this.#closing.abort();
    this.#options.probe.reset();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await wait(this.#times.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#check();
    }
  }

  /** One check runs at a time; a call during a check shares its promise. */
  #check(): Promise<void> {
    this.#checking ??= this.#update().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #update(): Promise<void> {
    try {
      await this.#probeTwice();
      const isBack = this.#state === "unavailable";
      if (isBack) await this.#migrate?.();
      this.#migrate = undefined;
      // The tasks need the database themselves.
      this.#state = "available";
      await this.#runTasks();
      if (isBack) this.#options.onChange("available");
    } catch (failure) {
      if (this.#state === "unavailable" || this.#closing.signal.aborted) return;
      this.#state = "unavailable";
      for (const reject of this.#inFlight) reject(databaseUnavailable());
      this.#options.onChange("unavailable", failure);
    }
  }

  async #runTasks(): Promise<void> {
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) {
      try {
        await task();
      } catch (failure) {
        this.#tasks.push(task);
        if (!this.#hasJoinFailed) this.#options.onJoinFailed(failure);
        this.#hasJoinFailed = true;
      }
    }
  }

  async #probeTwice(): Promise<void> {
    try {
      await this.#probe();
    } catch {
      this.#options.probe.reset();
      await this.#probe();
    }
  }

  async #probe(): Promise<void> {
    const { probeMs } = this.#times;
    await withTimeout(this.#options.probe.run(), probeMs, () => {
      throw storageUnavailable(new Error(`The database did not reply within ${probeMs} ms.`));
    });
  }
}

/** A database in a file is there as long as the process. */
export const alwaysAvailable: DatabaseAvailability = {
  state: () => "available",
  join: (task) => task(),
};

function databaseUnavailable(): GatewayError {
  return storageUnavailable(new Error("Work on the database fails at once while it is down."));
}

function isUnavailable(failure: unknown): boolean {
  if (failure instanceof Error && failure.cause !== undefined && !(failure instanceof GatewayError))
    return isUnavailable(failure.cause);
  return failure instanceof GatewayError && failure.code === "storage_unavailable";
}
