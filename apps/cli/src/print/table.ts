import { harmless, type Paint, type Tone } from "./terminal.js";

/** A text, or one with a colour. */
export type TableCell = string | { readonly text: string; readonly tone: Tone };

/** A cell that is longer is cut, so that one name cannot push the others off the screen. */
const cellLengthMax = 100;
/** The last one pushes no other. It may be a sentence, or a command to paste. */
const lastCellLengthMax = 1000;

/** Aligned lines with two spaces before each. The last column has no padding. */
export function tableLines(rows: readonly (readonly TableCell[])[], paint: Paint): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => textOf(row, column).length)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const text = textOf(row, column);
      const padding = column === row.length - 1 ? "" : " ".repeat((widths[column] ?? 0) - text.length);
      return `${typeof cell === "string" ? text : paint(cell.tone, text)}${padding}`;
    });
    return `  ${cells.join("  ")}`.trimEnd();
  });
}

/** A header above the rows. */
export function headed(
  names: readonly string[],
  rows: readonly (readonly TableCell[])[],
): (readonly TableCell[])[] {
  return [names.map((text): TableCell => ({ text, tone: "faint" })), ...rows];
}

function textOf(row: readonly TableCell[], column: number): string {
  const cell = row[column] ?? "";
  const text = harmless(typeof cell === "string" ? cell : cell.text);
  const lengthMax = column === row.length - 1 ? lastCellLengthMax : cellLengthMax;
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}
