/** The value of a cell; null and undefined leave it empty. */
export type Cell = string | number | null | undefined;

/** Writes a table with a header line. https://www.rfc-editor.org/rfc/rfc4180 */
export function writeCsv<Row>(
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  rows: readonly Row[],
): string {
  const readers = Object.values(columns);
  const lines = rows.map((row) => readers.map((read) => writeCell(read(row))).join(","));
  return [Object.keys(columns).join(","), ...lines, ""].join("\r\n");
}

/** A spreadsheet takes text that begins with one of these for a formula. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * All text is quoted, and text that could be a formula gets an apostrophe in front: the name of a key or a model must
 * not run code when the table is opened. https://owasp.org/www-community/attacks/CSV_Injection
 */
function writeCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const escaped = formulaStart.test(cell) ? `'${cell}` : cell;
  return `"${escaped.replaceAll('"', '""')}"`;
}
