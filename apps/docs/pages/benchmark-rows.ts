/** A row of the results: one process under one load. */
export interface BenchmarkRow {
  readonly case: string;
  readonly atOnce: string;
  readonly who: string;
  readonly requestsPerSecond: number;
  readonly timesBare: number;
  readonly p50Ms: number;
  readonly peakMegabytes: number;
}

/** A part of a request's CPU time. */
export interface TimePart {
  readonly name: string;
  readonly micros: number;
  readonly percent: number;
}

/** A section of the results page, as the benchmark has written it. */
export interface BenchmarkSection {
  readonly title: string;
  /** The text between the heading and the results table; all of the text without one. */
  readonly text: string;
  readonly table: string;
  /** Empty for a section without results of processes side by side. */
  readonly rows: readonly BenchmarkRow[];
}

/** Reads the page that `npm run bench` writes. Its tables are the results; the charts are drawn from them. */
export function readBenchmarks(markdown: string): { intro: string; sections: BenchmarkSection[] } {
  const [intro = "", ...parts] = markdown.split(/^## /m);
  return { intro: withoutImage(intro).trim(), sections: parts.map(readSection) };
}

/** Reads the table of the parts of a request. The last two rows are the whole request and the bare proxy's. */
export function readTimeParts(text: string): { table: string; parts: TimePart[]; bareMicros: number } {
  const table = /^\| part[^\n]*\n\|[-:| ]+\n(?:\|[^\n]*\n?)+/m.exec(text)?.[0] ?? "";
  const rows = table.split("\n").filter(Boolean).slice(2).map(cellsOf);
  const figure = (cell = "") => Number.parseFloat(cell.replaceAll(",", ""));
  const read = rows.map(([name = "", micros, percent]) => ({
    name,
    micros: figure(micros),
    percent: figure(percent),
  }));
  return {
    table,
    parts: read.filter(({ name }) => name !== "all parts" && name !== "bare proxy"),
    bareMicros: read.find(({ name }) => name === "bare proxy")?.micros ?? Number.NaN,
  };
}

function readSection(part: string): BenchmarkSection {
  const [title = "", ...lines] = part.split("\n");
  const text = lines.join("\n").trim();
  const table = /^\| case[^\n]*\| who[^\n]*\n\|[-:| ]+\n(?:\|[^\n]*\n?)+/m.exec(text)?.[0] ?? "";
  const rest = table === "" ? text : text.replace(table, "").trim();
  return { title: title.trim(), text: rest, table, rows: readRows(table) };
}

function readRows(table: string): BenchmarkRow[] {
  const [names = [], , ...rows] = table.split("\n").filter(Boolean).map(cellsOf);
  const column = (name: string) => names.indexOf(name);
  return rows.map((cells) => {
    const cell = (name: string) => cells[column(name)] ?? "";
    const figure = (name: string) => Number.parseFloat(cell(name).replaceAll(",", ""));
    return {
      case: cell("case"),
      atOnce: cell("at once"),
      who: cell("who"),
      requestsPerSecond: figure("requests/s"),
      timesBare: figure("× bare"),
      p50Ms: figure("p50 ms"),
      peakMegabytes: figure("peak RSS MB"),
    };
  });
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function withoutImage(markdown: string): string {
  return markdown.replace(/^!\[[^\]]*\]\([^)]*\)$/gm, "");
}
