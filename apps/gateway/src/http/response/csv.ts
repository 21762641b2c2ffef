/** What a cell of a table can hold; null and undefined leave it empty. */
export type Cell = string | number | null | undefined;

/** A table as RFC 4180 has it, with the names of its columns on top. https://www.rfc-editor.org/rfc/rfc4180 */
export function writeCsv<Row>(
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  rows: readonly Row[],
): string {
  const readers = Object.values(columns);
  const lines = rows.map((row) => readers.map((read) => writeCell(read(row))).join(","));
  return [Object.keys(columns).join(","), ...lines, ""].join("\r\n");
}

/** What a spreadsheet would take for a formula, if a text began with it. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Every text is quoted, and one that could be a formula begins with an apostrophe: whoever chose the name of a key or a
 * model must not get to run something at whoever opens the table. https://owasp.org/www-community/attacks/CSV_Injection
 */
function writeCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const harmless = formulaStart.test(cell) ? `'${cell}` : cell;
  return `"${harmless.replaceAll('"', '""')}"`;
}
