import { codeOf } from "@model-gateway/domain/failure-code";
import pg from "pg";
import { CommandError } from "../../remote/command-error.js";
import { type Pacing, withRetries } from "../../remote/retry.js";

const connectMs = 15_000;
/** A search without an index reads the whole table. */
const statementMs = 5 * 60_000;

export interface IndexDatabaseOptions {
  readonly url: string;
  /** The source of the address, for messages. */
  readonly from: string;
  readonly pacing: Pacing;
  readonly signal: AbortSignal;
}

/** One connection to the database with the texts and the vectors. A statement is repeated if the connection breaks. */
export class IndexDatabase {
  /** Host and database, without user and password. */
  readonly name: string;
  readonly #pool: pg.Pool;
  readonly #retry: Pick<IndexDatabaseOptions, "pacing" | "signal">;
  /** Before the first reply, a failure is a wrong address rather than a restart. */
  #hasReplied = false;

  constructor({ url, from, pacing, signal }: IndexDatabaseOptions) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol))
      throw new CommandError(`${from} must be an address such as postgres://user@host:5432/database.`);
    this.name = `${parsed.host || "localhost"}${parsed.pathname}`;
    this.#retry = { pacing, signal };
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      query_timeout: statementMs + 1000,
      keepAlive: true,
      application_name: "model-gateway-reembed",
    });
    // Without a listener, a connection that breaks while it is idle would crash the process.
    this.#pool.on("error", () => undefined);
  }

  /** Runs a statement. Only those that may run twice are passed here. */
  query(sql: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Record<string, unknown>>> {
    return withRetries(async () => {
      try {
        const result = await this.#run(sql, values);
        this.#hasReplied = true;
        return result;
      } catch (failure) {
        throw this.#retry.signal.aborted ? new CommandError("Interrupted.") : this.#explain(failure);
      }
    }, this.#retry);
  }

  /** A person who ends the command does not wait for the statement: its connection is closed. */
  async #run(sql: string, values: readonly unknown[]): Promise<pg.QueryResult<Record<string, unknown>>> {
    const { signal } = this.#retry;
    signal.throwIfAborted();
    const client = await this.#pool.connect();
    let isReleased = false;
    const release = (isBroken: boolean) => {
      if (!isReleased) client.release(isBroken);
      isReleased = true;
    };
    const onAbort = () => release(true);
    signal.addEventListener("abort", onAbort);
    try {
      return await client.query<Record<string, unknown>>(sql, [...values]);
    } catch (failure) {
      // The connection is of use after a refusal of the server alone.
      release(!(failure instanceof pg.DatabaseError));
      throw failure;
    } finally {
      signal.removeEventListener("abort", onAbort);
      release(false);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** Lost connections, a server that starts or stops, deadlocks and locks are transient. A timeout is not. */
  #explain(failure: unknown): CommandError {
    const code = codeOf(failure);
    const isLost =
      failure instanceof pg.DatabaseError
        ? /^(08|53|57P|40001|40P01|55P03|25P03)/.test(code)
        : /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|$)/.test(code);
    const isTransient = isLost && this.#hasReplied;
    const message = failure instanceof Error ? failure.message : String(failure);
    const hint = /type "(vector|halfvec)" does not exist/.test(message)
      ? " Install pgvector: CREATE EXTENSION vector."
      : "";
    return new CommandError(`PostgreSQL at ${this.name}: ${message || code}.${hint}`, { isTransient });
  }
}

/** A name as SQL writes it. A dot separates a schema from its table. */
export function quoteName(name: string): string {
  return name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");
}
