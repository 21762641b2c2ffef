import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createPostgresDatabase,
  hasPostgres,
  reportMissingPostgres,
} from "@model-gateway/test-suite/postgres-server";
import { tier } from "@model-gateway/test-suite/tier";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import {
  type Database,
  type DatabaseBounds,
  openDatabase,
} from "../../src/storage/database/open-database.js";
import { reuseSqliteThread } from "./reused-sqlite-threads.js";

/** A database for one suite alone. */
export interface TestDatabase {
  /** The database that the suite shares; its tables are emptied before every test. */
  database(): Database;
  /** Opens it once more, as another replica does. */
  open(bounds?: Partial<DatabaseBounds>): Promise<Database>;
}

/** Only a hang takes this long. */
const patient = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000, startWorker: reuseSqliteThread };

const emptied = [
  "access_keys",
  "old_secrets",
  "settings",
  "ledger_rows",
  "usage_hours",
  "usage_days",
  "stored_responses",
  "response_holders",
  "leases",
  "vector_spaces",
  "space_references",
  "space_checks",
  "space_comparisons",
  "files",
  "batches",
  "batch_parts",
  "batch_costs",
  "jobs",
  "job_progress",
  "webhook_deliveries",
  "webhook_messages",
] as const;

export interface SuiteOptions {
  /** Whether rows are kept from one test to the next. */
  readonly isKept?: boolean;
}

type Tests = (testDatabase: TestDatabase) => void;

/** Runs a suite on SQLite and on PostgreSQL. */
export function describeDatabases(name: string, tests: Tests, options: SuiteOptions = {}): void {
  describeSqlite(`${name} on SQLite`, tests, options);
  describePostgres(`${name} on PostgreSQL`, tests, options);
}

/** Runs a suite on SQLite in the short tier, and on PostgreSQL in the rest. See `packages/test-suite`. */
export function describeDatabaseOfTier(name: string, tests: Tests, options: SuiteOptions = {}): void {
  if (tier !== "rest") describeSqlite(`${name} on SQLite`, tests, options);
  if (tier !== "short") describePostgres(`${name} on PostgreSQL`, tests, options);
}

function describeSqlite(name: string, tests: Tests, options: SuiteOptions): void {
  describe(name, () => {
    const dataDir = mkdtempSync(join(tmpdir(), "database-"));
    tests(
      prepare(
        async () => ({ options: { dataDir }, drop: async () => rmSync(dataDir, { recursive: true }) }),
        options,
      ),
    );
  });
}

/** Runs a suite on PostgreSQL alone. */
export function describePostgres(name: string, tests: Tests, options: SuiteOptions = {}): void {
  if (!hasPostgres) reportMissingPostgres(name);
  describe.skipIf(!hasPostgres)(name, () => {
    tests(
      prepare(async () => {
        const { url, drop } = await createPostgresDatabase();
        return { options: { url, dataDir: tmpdir() }, drop };
      }, options),
    );
  });
}

interface Prepared {
  readonly options: { readonly url?: string; readonly dataDir: string };
  drop(): Promise<void>;
}

function prepare(create: () => Promise<Prepared>, { isKept = false }: SuiteOptions): TestDatabase {
  const opened: Database[] = [];
  let prepared: Prepared;
  let shared: Database;
  const onFailure = () => undefined;
  const open: TestDatabase["open"] = async (bounds = {}) => {
    const database = await openDatabase({
      ...prepared.options,
      onFailure,
      bounds: { ...patient, ...bounds },
    });
    opened.push(database);
    return database;
  };
  beforeAll(async () => {
    prepared = await create();
    shared = await open();
  });
  beforeEach(async () => {
    if (isKept) return;
    for (const table of emptied) await sql`delete from ${sql.table(table)}`.execute(shared.kysely);
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await prepared.drop();
  });
  return { database: () => shared, open };
}
