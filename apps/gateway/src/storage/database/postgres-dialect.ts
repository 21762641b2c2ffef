import { GatewayError, storageUnavailable } from "@model-gateway/domain/errors";
import {
  type Dialect,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import type { DatabaseProbe } from "./database-watch.js";

const int8Oid = 20;

export interface PostgresOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** Number of callers that may wait for a connection; more are refused. */
  readonly waitingMax: number;
  /** Time that a caller waits for a connection, new or returned to the pool. */
  readonly connectTimeoutMs: number;
  /** The server cancels a statement after this time. The gateway gives up one second later. */
  readonly statementTimeoutMs: number;
  /** Called when an idle connection breaks. */
  readonly onFailure: (failure: unknown) => void;
  /** Fails work at once while the database is down. */
  readonly guard: GuardWork;
  /** The names of statements that each connection prepares once, by their text. */
  readonly prepared: ReadonlyMap<string, string>;
}

/** `DatabaseWatch.guard`. */
export type GuardWork = <T>(begin: () => Promise<T>) => Promise<T>;

export function createPostgresDialect(options: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + 1000,
    keepAlive: true,
    application_name: "model-gateway",
    types: { getTypeParser: parserOf },
  });
  // Without a listener, an idle connection that breaks would crash the process.
  pool.on("error", options.onFailure);
  return new PostgresDialect({ pool: createCheckedPool(pool, options) });
}

/** The integers stored here stay far below 2^53. */
function parserOf(oid: number): (value: string) => unknown {
  return oid === int8Oid ? Number : pg.types.getTypeParser(oid, "text");
}

/** Marks transient failures as `storage_unavailable`, and discards connections that did not reply. */
function createCheckedPool(pool: pg.Pool, options: PostgresOptions): PostgresPool {
  const { waitingMax, guard } = options;
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      if (pool.waitingCount >= waitingMax)
        throw storageUnavailable(new Error("Too many requests wait for a database connection."));
      const client = await guardConnect(pool, guard);
      const known = clients.get(client) ?? new CheckedClient(client, options);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

/** A connection that comes after the guard has given up is unused, so it is closed. */
async function guardConnect(pool: pg.Pool, guard: GuardWork): Promise<pg.PoolClient> {
  let isGivenUp = false;
  try {
    return await guard(async () => {
      const client = await pool.connect();
      if (isGivenUp) client.release(true);
      return client;
    });
  } catch (failure) {
    isGivenUp = true;
    throw explain(failure);
  }
}

class CheckedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #guard: GuardWork;
  readonly #prepared: PostgresOptions["prepared"];
  #isBroken = false;

  constructor(client: pg.PoolClient, { guard, prepared }: Pick<PostgresOptions, "guard" | "prepared">) {
    this.#client = client;
    this.#guard = guard;
    this.#prepared = prepared;
    // The pool does not listen while a transaction holds the connection.
    client.on("error", () => {
      this.#isBroken = true;
    });
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(sql: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof sql !== "string") throw new Error("Streaming queries are not supported.");
    return this.#run(sql, parameters);
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (this.#isBroken) throw storageUnavailable(new Error("The database connection is broken."));
    try {
      const name = this.#prepared.get(sql);
      const query = { text: sql, values: [...parameters], ...(name !== undefined && { name }) };
      return await this.#guard(() => this.#client.query(query));
    } catch (failure) {
      if (!(failure instanceof pg.DatabaseError)) this.#isBroken = true;
      throw explain(failure);
    }
  }
}

/** Lost connections, a server that starts, stops or is full, deadlocks and timeouts are transient. */
function explain(failure: unknown): unknown {
  if (failure instanceof GatewayError) return failure;
  if (!(failure instanceof pg.DatabaseError)) return storageUnavailable(failure);
  const isTransient = /^(08|53|57|40001|40P01|55P03|25P03)/.test(failure.code ?? "");
  return isTransient ? storageUnavailable(failure) : failure;
}

/** Sends an empty query, over a separate connection: the pool may be in use up to its limit. */
export function createPostgresProbe(url: string): DatabaseProbe {
  let client: pg.Client | undefined;
  const connect = async (): Promise<pg.Client> => {
    const connecting = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: probeTimeoutMs,
      query_timeout: probeTimeoutMs,
      application_name: "model-gateway probe",
    });
    client = connecting;
    // Without a listener, a connection that breaks would crash the process. The next run notices.
    connecting.on("error", () => undefined);
    await connecting.connect();
    return connecting;
  };
  return {
    run: async () => {
      try {
        await (client ?? (await connect())).query("select 1");
      } catch (failure) {
        throw explain(failure);
      }
    },
    reset: () => {
      void client?.end().catch(() => undefined);
      client = undefined;
    },
  };
}

/** An abandoned connection ends after this time. */
const probeTimeoutMs = 5000;
