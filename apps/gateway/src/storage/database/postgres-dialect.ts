import {
  type Dialect,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import { storageUnavailable } from "../../errors.js";

const int8Oid = 20;

export interface PostgresOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** How many may wait for a connection; more are refused. */
  readonly waitingMax: number;
  /** How long one waits for a connection at most, be it to be made or to be free. */
  readonly connectTimeoutMs: number;
  /** How long a statement may take. The server is told; a second later the gateway gives up by itself. */
  readonly statementTimeoutMs: number;
  /** Told of connections that broke while nobody used them. */
  readonly onFailure: (failure: unknown) => void;
}

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
  // Without a listener, a connection that breaks while it is idle would end the process.
  pool.on("error", options.onFailure);
  return new PostgresDialect({ pool: createWatchedPool(pool, options) });
}

/** What is counted here stays far below 2^53. */
function parserOf(oid: number): (value: string) => unknown {
  return oid === int8Oid ? Number : pg.types.getTypeParser(oid, "text");
}

/** Says which failures pass by themselves, and never lends a connection again that did not answer. */
function createWatchedPool(pool: pg.Pool, { waitingMax }: PostgresOptions): PostgresPool {
  const watched = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      if (pool.waitingCount >= waitingMax)
        throw storageUnavailable(new Error("Too many wait for a connection to the database."));
      const client = await pool.connect().catch((failure: unknown) => Promise.reject(explain(failure)));
      const known = watched.get(client) ?? new WatchedClient(client);
      watched.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

class WatchedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    // It may break between two statements of a transaction, when the pool does not listen.
    client.on("error", () => {
      this.#isBroken = true;
    });
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(sql: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof sql !== "string") throw new Error("PostgreSQL is not read in pieces.");
    return this.#run(sql, parameters);
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (this.#isBroken) throw storageUnavailable(new Error("The connection to the database is broken."));
    try {
      return await this.#client.query(sql, [...parameters]);
    } catch (failure) {
      if (!(failure instanceof pg.DatabaseError)) this.#isBroken = true;
      throw explain(failure);
    }
  }
}

/** Lost connections, a server that starts, stops or is full, and what took too long: all pass. */
function explain(failure: unknown): unknown {
  if (!(failure instanceof pg.DatabaseError)) return storageUnavailable(failure);
  const passes = /^(08|53|57|40001|40P01|55P03|25P03)/.test(failure.code ?? "");
  return passes ? storageUnavailable(failure) : failure;
}
