import type { Page, PageRequest } from "@model-gateway/domain/page";
import type { CompiledQuery } from "kysely";
import { fromColumns } from "../../usage/ledger/generated/ledger-row.js";
import type {
  BatchSpending,
  KeySpending,
  LedgerFilter,
  LedgerRow,
  LedgerStore,
  UsageGroup,
  UsageQuery,
} from "../../usage/ledger/ledger-store.js";
import { isStorable, pageOf } from "../database/cursor.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { listStatement } from "./list-rows.js";
import { withJson, writeLedgerJson } from "./rows-json.js";
import { addInOneStatement, addInTransaction } from "./statements.js";
import { sumCostByKey, sumUsage } from "./sum-usage.js";

const rowsAtOnceMax = 1000;

interface LedgerStoreOptions {
  /** Number of groups that a usage query may return; more are refused. */
  readonly groupsMax?: number;
}

/** Ledger rows and their sums, in tables that all replicas share. */
export class DatabaseLedgerStore implements LedgerStore {
  readonly #database: Database;
  readonly #kysely: Database["kysely"];
  readonly #groupsMax: number;
  readonly #addRows: AddRows;

  constructor(database: Database, { groupsMax = 50_000 }: LedgerStoreOptions = {}) {
    this.#database = database;
    this.#kysely = database.kysely;
    this.#groupsMax = groupsMax;
    this.#addRows = createAddRows(database);
  }

  async add(rows: readonly LedgerRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += rowsAtOnceMax)
      await this.#addRows(rows.slice(start, start + rowsAtOnceMax));
  }

  async find(id: string): Promise<LedgerRow | undefined> {
    if (!isStorable(id)) return undefined;
    const rows = this.#kysely.selectFrom("ledger_rows").selectAll();
    const row = await rows.where("id", "=", id).executeTakeFirst();
    return row && toRow(row);
  }

  async list(filter: LedgerFilter, page: PageRequest): Promise<Page<LedgerRow>> {
    const rows = await listStatement(this.#database, filter, page).execute();
    return pageOf(rows, page, { toItem: toRow, cursorOf: (row) => row });
  }

  usage(query: UsageQuery): Promise<readonly UsageGroup[]> {
    return sumUsage(this.#database, query, this.#groupsMax);
  }

  async spentSince(keyId: string, since: number): Promise<number> {
    const spent = await sumCostByKey(this.#kysely, { keyId, from: since });
    const { costNanos = 0, estimatedNanos = 0 } = spent.get(keyId) ?? {};
    return costNanos + estimatedNanos;
  }

  spentByKey(keyIds: readonly string[], since: number): Promise<ReadonlyMap<string, KeySpending>> {
    return sumCostByKey(this.#kysely, { keyIds, from: since });
  }

  async spentByBatch(batchIds: readonly string[]): Promise<ReadonlyMap<string, BatchSpending>> {
    if (batchIds.length === 0) return new Map();
    const costs = this.#kysely.selectFrom("batch_costs").selectAll();
    const rows = await costs.where("batch_id", "in", batchIds).execute();
    return new Map(
      rows.map(({ batch_id, requests, cost_nanos: costNanos, unpriced }) => [
        batch_id,
        { requests, costNanos, unpriced },
      ]),
    );
  }

  async costsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
    if (ids.length === 0) return new Map();
    const costs = this.#kysely.selectFrom("ledger_rows").select(["id", "cost_nanos"]);
    const rows = await costs.where("id", "in", ids).execute();
    return new Map(rows.map(({ id, cost_nanos }) => [id, cost_nanos]));
  }
}

/** Adds the rows that are not stored yet, and only those to the rollups of their hour and day: all or nothing. */
type AddRows = (rows: readonly LedgerRow[]) => Promise<void>;

/** Compiles the statements once: compiling them for every batch would cost more than the rest of it. */
function createAddRows(database: Database): AddRows {
  const { kysely, kind } = database;
  if (kind === "postgres") {
    const statement = addInOneStatement(kysely, { hasLines: false });
    const withLines = addInOneStatement(kysely, { hasLines: true });
    // To plan their 33 KB takes seven times as long as to run them with one row.
    for (const one of [statement, withLines]) database.prepare(one);
    return async (rows) => {
      const chosen = rows.some(isLine) ? withLines : statement;
      await kysely.executeQuery(withJson(chosen, writeLedgerJson(kind, rows)));
    };
  }
  const { before, insertion, batchCosts, after } = addInTransaction(kysely);
  return (rows) => {
    const statements: CompiledQuery[] = [
      ...before,
      withJson(insertion, writeLedgerJson(kind, rows)),
      ...(rows.some(isLine) ? [batchCosts] : []),
      ...after,
    ];
    return kysely.transaction().execute(async (transaction) => {
      for (const statement of statements) await transaction.executeQuery(statement);
    });
  };
}

/** Whether the request is a line of a batch. */
function isLine({ batchId }: LedgerRow): boolean {
  return batchId !== null;
}

function toRow(row: Tables["ledger_rows"]): LedgerRow {
  return fromColumns(row, readJson);
}

/** Null if another version of the gateway has written it in another form. */
function readJson<Value>(json: string, check: (value: unknown) => value is Value): Value | null {
  const value: unknown = JSON.parse(json);
  return check(value) ? value : null;
}
