/** A Markdown table with aligned columns, readable on the page and in a terminal. Numbers are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const isNumeric = head.map((_, column) => rows.every((row) => /^[\d.,–-]*$/.test(row[column] ?? "")));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? "", width, isNumeric[column])).join(" | ")} |`;
  const rule = widths.map((width, column) => "-".repeat(width - 1) + (isNumeric[column] ? ":" : "-"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Two or three digits: a benchmark repeats to a few per cent only. */
export function formatNumber(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function formatMegabytes(bytes: number | undefined): string {
  return bytes === undefined ? "–" : String(Math.round(bytes / 2 ** 20));
}

function pad(text: string, width: number, isNumeric: boolean | undefined): string {
  return isNumeric ? text.padStart(width) : text.padEnd(width);
}
