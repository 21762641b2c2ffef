/** A Markdown table whose columns stand under each other: for the page, and for a terminal. Figures stand right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const isFigure = head.map((_, column) => rows.every((row) => /^[\d.,–-]*$/.test(row[column] ?? "")));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? "", width, isFigure[column])).join(" | ")} |`;
  const rule = widths.map((width, column) => "-".repeat(width - 1) + (isFigure[column] ? ":" : "-"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

function pad(text: string, width: number, isFigure: boolean | undefined): string {
  return isFigure ? text.padStart(width) : text.padEnd(width);
}
