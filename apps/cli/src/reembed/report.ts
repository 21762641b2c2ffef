import { count, money, span } from "../print/figures.js";
import { tableLines } from "../print/table.js";
import { createPaint, harmless, type Report, type Terminal } from "../print/terminal.js";
import type { Recall } from "./compare.js";
import type { Estimate } from "./estimate.js";
import type { ReembedResult } from "./run/run-reembed.js";

type ReportRow = readonly [string, string];

export function reportEstimate(found: Estimate, { from, terminal }: ReportPlace): Report {
  const { inputs, skipped, tokens, too_long, tokens_per_input_max, batches, cost_usd, duration_ms } = found;
  const rows: ReportRow[] = [
    ["inputs", `${grouped(inputs)}${skipped === 0 ? "" : `, and ${count(skipped, "row")} without a text`}`],
    ["tokens", `about ${grouped(tokens)}`],
    ...(too_long === 0
      ? []
      : [
          [
            "too long",
            `about ${grouped(too_long)} inputs have more than ${tokens_per_input_max} tokens`,
          ] as const,
        ]),
    ["batches", grouped(batches)],
    ["price", priceText(found)],
    ["time", `${duration_ms === null ? "unknown" : span(duration_ms)}, ${found.duration_basis}`],
  ];
  const headline = `${from} with ${found.model}: an estimate. Nothing was bought.`;
  return { text: summary(headline, { rows, terminal }), document: { ...found, cost_usd } };
}

function priceText({ cost_usd, price_per_million_tokens: prices }: Estimate): string {
  if (cost_usd === null || prices === null)
    return "unknown: the gateway has no price for this model, or you have no admin key";
  const [low, high] = cost_usd;
  const each = prices[0] === prices[1] ? money(prices[0]) : `${money(prices[0])} to ${money(prices[1])}`;
  const all = low === high ? money(low) : `${money(low)} to ${money(high)}`;
  return `about ${all}, at ${each} per million tokens`;
}

interface RunEnd extends ReportPlace {
  readonly model: string;
  readonly to: string;
  readonly failuresPath: string;
  readonly durationMs: number;
}

export function reportRun({ state, notes }: ReembedResult, end: RunEnd): Report {
  const { counts, space } = state;
  const { written, failed, skipped, gone, tokens } = counts;
  const rows: ReportRow[] = [
    ["written to", end.to],
    ["space", space.id],
    ["dimensions", String(space.dimensions)],
    ["tokens", grouped(tokens)],
    ...(skipped === 0 ? [] : [["skipped", `${count(skipped, "row")} without a text`] as const]),
    ...(gone === 0 ? [] : [["gone", `${count(gone, "row")} that no longer exist`] as const]),
    ...(failed === 0 ? [] : [["failed", `${count(failed, "row")}, see ${end.failuresPath}`] as const]),
  ];
  const headline = `Re-embedded ${grouped(written)} of ${grouped(counts.rows)} rows of ${end.from} with ${end.model} in ${span(end.durationMs)}`;
  return {
    text: `${notes.map((note) => `${harmless(note)}\n`).join("")}${summary(headline, { rows, terminal: end.terminal })}`,
    document: {
      model: end.model,
      ...counts,
      space: space.id,
      dimensions: space.dimensions,
      failures: failed === 0 ? null : end.failuresPath,
      notes,
    },
    isFine: failed === 0,
  };
}

export function reportRecall(found: Recall, { terminal }: Pick<ReportPlace, "terminal">): Report {
  const { between, rows: total, queries, k, recall, nearest_kept, lowest } = found;
  const sample = total === null ? count(queries, "row") : `${queries} of ${grouped(total)} rows`;
  const rows: ReportRow[] = [
    ["nearest neighbour kept", percent(nearest_kept)],
    ["lowest", `${lowest.recall.toFixed(2)} for the row ${lowest.id}`],
    ["queries", sample],
  ];
  const headline = `recall@${k} ${recall.toFixed(3)} between ${between[0]} and ${between[1]}`;
  return { text: summary(headline, { rows, terminal }), document: found };
}

interface ReportPlace {
  /** The name of the source. */
  readonly from: string;
  readonly terminal: Terminal;
}

function summary(
  headline: string,
  { rows, terminal }: { readonly rows: readonly ReportRow[]; readonly terminal: Terminal },
): string {
  const paint = createPaint(terminal);
  const cells = rows.map(([name, value]) => [{ text: name, tone: "faint" as const }, value]);
  return `${[paint("strong", harmless(headline)), ...tableLines(cells, paint)].join("\n")}\n`;
}

function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
