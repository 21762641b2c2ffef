import { CommandError } from "../../remote/command-error.js";
import { readId } from "../jsonl/read-lines.js";
import type { Place, Row } from "../rows.js";
import type { IndexDatabase } from "./index-database.js";

const pageSize = 200;

/**
 * The rows of a query, in pages by id. Each page is a statement, so that no transaction is open for hours, and the
 * command can go on at any id.
 */
export async function* readTexts(
  database: IndexDatabase,
  query: string,
  from: Place | undefined,
): AsyncGenerator<Row, void, undefined> {
  // A comment at the end of the query would hide the bracket.
  const source = `(${query.replace(/[\s;]+$/, "")}\n) AS source`;
  const idType = await typeOfId(database, source);
  let after = from;
  for (;;) {
    const page = await database.query(
      `SELECT source.id::text AS id, source.text::text AS text FROM ${source}
       ${after === undefined ? "" : `WHERE source.id > $2::${idType}`}
       ORDER BY source.id LIMIT $1`,
      after === undefined ? [pageSize + 1] : [pageSize + 1, after],
    );
    checkIds(page.rows);
    for (const { id, text } of page.rows.slice(0, pageSize)) {
      const known = String(readId(id, "A row of --query"));
      yield { id: known, text: typeof text === "string" ? text : null, next: known };
      after = known;
    }
    if (page.rows.length <= pageSize) return;
  }
}

/** Also checks the columns of the query. */
async function typeOfId(database: IndexDatabase, source: string): Promise<string> {
  const { fields } = await database.query(`SELECT * FROM ${source} LIMIT 0`);
  const id = fields.find(({ name }) => name === "id");
  if (id === undefined || !fields.some(({ name }) => name === "text"))
    throw new CommandError(
      `--query must return the columns id and text, and returns ${fields.map(({ name }) => name).join(", ") || "none"}. Name them: SELECT key AS id, body AS text FROM passages.`,
    );
  const { rows } = await database.query("SELECT format_type($1::oid, NULL) AS type", [id.dataTypeID]);
  return String(rows[0]?.type);
}

/** Pages by id would lose the second row of an id. One row of the next page is here as well. */
function checkIds(rows: readonly Readonly<Record<string, unknown>>[]): void {
  const repeated = rows.find(({ id }, index) => index > 0 && id === rows[index - 1]?.id);
  if (repeated !== undefined)
    throw new CommandError(
      repeated.id === null
        ? "--query returns rows without an id. Leave them out: WHERE id IS NOT NULL."
        : `--query returns the id ${JSON.stringify(repeated.id)} more than once. Each row needs its own id.`,
    );
}
