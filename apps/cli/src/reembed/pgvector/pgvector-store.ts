import { CommandError } from "../../remote/command-error.js";
import { createJsonlSink } from "../jsonl/jsonl-store.js";
import { type Comparison, type Neighbours, neighboursMax, type Store } from "../rows.js";
import { type IndexDatabase, quoteName } from "./index-database.js";
import { readTexts } from "./read-texts.js";
import { columnTypes, createVectorColumn, type VectorTable } from "./vector-column.js";

export interface PgvectorIndex {
  /** Undefined for a comparison, which reads the table. */
  readonly query: string | undefined;
  /** Undefined if the vectors go to a file. */
  readonly target: VectorTable | undefined;
  /** The column with the present vectors, for a comparison. */
  readonly oldColumn: string | undefined;
  /** The file that gets the vectors instead of the table. */
  readonly out: { readonly path: string; readonly force: boolean } | undefined;
}

/** A table of PostgreSQL with pgvector. */
export function createPgvectorStore(database: IndexDatabase, index: PgvectorIndex): Store {
  const { query, target, oldColumn, out } = index;
  return {
    name: database.name,
    rows: (from) => readTexts(database, given(query, "--query"), from),
    sink: (position) =>
      out === undefined
        ? createVectorColumn(database, given(target, "--table"))
        : createJsonlSink(out.path, { position, force: out.force }),
    compare: (queries) =>
      compareColumns(database, {
        target: given(target, "--table"),
        oldColumn: given(oldColumn, "--old-column"),
        queries,
      }),
    close: () => database.close(),
  };
}

function given<Value>(value: Value | undefined, option: string): Value {
  if (value === undefined) throw new CommandError(`The option ${option} is missing.`);
  return value;
}

interface ColumnComparison {
  readonly target: VectorTable;
  readonly oldColumn: string;
  readonly queries: number;
}

/** The database searches, as the application does: with its index, if there is one. */
async function compareColumns(
  database: IndexDatabase,
  { target, oldColumn, queries }: ColumnComparison,
): Promise<Comparison> {
  const { table, idColumn, column } = target;
  const types = await columnTypes(database, target);
  const missing = [oldColumn, column].find((name) => !types.has(name));
  if (missing !== undefined) throw new CommandError(`The table ${table} has no column ${missing}.`);
  const id = quoteName(idColumn);
  const from = `${quoteName(table)} WHERE ${quoteName(oldColumn)} IS NOT NULL AND ${quoteName(column)} IS NOT NULL`;
  const counted = await database.query(`SELECT count(*) AS rows FROM ${from}`);
  // By a digest: a sample without order that is the same in every run.
  const chosen = await database.query(
    `SELECT ${id}::text AS id FROM ${from} ORDER BY md5(${id}::text) LIMIT $1`,
    [queries],
  );
  const search = (by: string) => `SELECT ${id}::text AS id FROM ${from}
    ORDER BY ${quoteName(by)} <=> (SELECT ${quoteName(by)} FROM ${quoteName(table)} WHERE ${id} = $1::${types.get(idColumn)})
    LIMIT ${neighboursMax + 1}`;
  const sample: Neighbours[] = [];
  for (const { id: query } of chosen.rows) {
    const own = String(query);
    const nearest = async (by: string) =>
      (await database.query(search(by), [own])).rows
        .map(({ id: found }) => String(found))
        .filter((found) => found !== own)
        .slice(0, neighboursMax);
    sample.push({ id: own, old: await nearest(oldColumn), new: await nearest(column) });
  }
  return { between: [oldColumn, column], total: Number(counted.rows[0]?.rows), sample };
}
