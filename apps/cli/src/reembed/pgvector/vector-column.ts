import { count } from "../../print/figures.js";
import { CommandError } from "../../remote/command-error.js";
import type { EmbeddedRow, Space, VectorSink } from "../rows.js";
import { type IndexDatabase, quoteName } from "./index-database.js";

/** The table that gets the vectors. */
export interface VectorTable {
  readonly table: string;
  readonly idColumn: string;
  /** For the vectors. */
  readonly column: string;
  /** For the id of their space. */
  readonly spaceColumn: string;
}

/** The types of a table's columns by name. */
export async function columnTypes(
  database: IndexDatabase,
  { table, idColumn }: Pick<VectorTable, "table" | "idColumn">,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [quoteName(table)],
  );
  const types = new Map(rows.map(({ name, type }) => [String(name), String(type)]));
  if (!types.has(idColumn))
    throw new CommandError(`The table ${table} has no column ${idColumn}. Name its key with --id-column.`);
  return types;
}

/** Writes vectors and the id of their space into two columns, which are created if they are missing. */
export function createVectorColumn(database: IndexDatabase, target: VectorTable): VectorSink {
  const { table, idColumn, column, spaceColumn } = target;
  let update = "";
  return {
    prepare: async (space) => {
      const types = await columnTypes(database, target);
      const notes = [
        ...(await addVectors(database, { target, space, type: types.get(column) })),
        ...(await addSpace(database, { target, type: types.get(spaceColumn) })),
      ];
      const vectorType = types.get(column) ?? "vector";
      update = `UPDATE ${quoteName(table)} AS stored
        SET ${quoteName(column)} = new.embedding::${vectorType}, ${quoteName(spaceColumn)} = $3
        FROM unnest($1::text[], $2::text[]) AS new (id, embedding)
        WHERE stored.${quoteName(idColumn)} = new.id::${types.get(idColumn)}`;
      return notes;
    },
    write: async (rows, space) => {
      const values = [rows.map(({ id }) => String(id)), rows.map(vectorText), space.id];
      return (await database.query(update, values)).rowCount ?? 0;
    },
    checkpoint: async () => null,
    close: async () => undefined,
  };
}

interface Addition {
  readonly target: VectorTable;
  /** The type of a column that is there. */
  readonly type: string | undefined;
}

async function addVectors(
  database: IndexDatabase,
  { target: { table, column }, type, space: { dimensions } }: Addition & { readonly space: Space },
): Promise<string[]> {
  const wanted = `vector(${dimensions})`;
  if (type === undefined) {
    await database.query(
      `ALTER TABLE ${quoteName(table)} ADD COLUMN IF NOT EXISTS ${quoteName(column)} ${wanted}`,
    );
    return [`Added the column ${column} ${wanted} to ${table}.`];
  }
  const [, kind, width] = /(?:^|\.)"?(vector|halfvec)"?(?:\((\d+)\))?$/.exec(type) ?? [];
  if (kind === undefined)
    throw new CommandError(
      `The column ${column} of ${table} has the type ${type}, and not vector. Name another --column.`,
    );
  if (width !== undefined && Number(width) !== dimensions)
    throw new CommandError(
      `The column ${column} of ${table} holds ${count(Number(width), "number")} a row, and the model returns ${dimensions}. Name another --column, which is created if it is missing.`,
    );
  return [];
}

async function addSpace(
  database: IndexDatabase,
  { target: { table, spaceColumn }, type }: Addition,
): Promise<string[]> {
  if (type === undefined) {
    await database.query(
      `ALTER TABLE ${quoteName(table)} ADD COLUMN IF NOT EXISTS ${quoteName(spaceColumn)} text`,
    );
    return [`Added the column ${spaceColumn} text to ${table}.`];
  }
  if (!/^(text|character varying)/.test(type))
    throw new CommandError(
      `The column ${spaceColumn} of ${table} has the type ${type}, and not text. Name another --space-column.`,
    );
  return [];
}

/** https://github.com/pgvector/pgvector#storing */
function vectorText({ embedding }: EmbeddedRow): string {
  return `[${embedding.join(",")}]`;
}
