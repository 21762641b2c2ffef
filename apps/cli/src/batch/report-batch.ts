import { count, span } from "../print/figures.js";
import { tableLines } from "../print/table.js";
import { createPaint, harmless, type Report, type Terminal } from "../print/terminal.js";
import type { RemoteBatch } from "./batch.js";

/** The gateway itself reports a hundred faults. */
const faultsShown = 20;

interface WrittenResults {
  /** The path of the results. `null` if there are none. */
  readonly output: string | null;
  readonly errors: string | null;
  readonly terminal: Terminal;
  readonly endedAt: Date;
}

/** The summary of a batch that has ended. The exit code is 0 if every line succeeded. */
export function reportBatch(
  batch: RemoteBatch,
  { output, errors, terminal, endedAt }: WrittenResults,
): Report {
  const { id, status, created_at, request_counts, total_tokens } = batch;
  const { total, completed, failed } = request_counts;
  const paint = createPaint(terminal);
  const isFine = status === "completed" && failed === 0;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const time = span(endedAt.getTime() - created_at * 1000);
  const rows: [string, string][] = [
    ...(output === null ? [] : [["output", output] as [string, string]]),
    ...(errors === null ? [] : [["errors", errors] as [string, string]]),
    ...(total_tokens === null ? [] : [["tokens", String(total_tokens)] as [string, string]]),
  ];
  const lines = [
    paint(
      isFine ? "strong" : "warning",
      harmless(
        `${id} ${status}: ${completed} of ${count(total, "line")} succeeded${failures}, after ${time}`,
      ),
    ),
    ...tableLines(
      rows.map(([name, value]) => [{ text: name, tone: "faint" as const }, value]),
      paint,
    ),
    ...faultLines(batch),
  ];
  return { text: `${lines.join("\n")}\n`, document: { ...batch, output, error_output: errors }, isFine };
}

/** The reasons why a file was refused, by line. */
function faultLines({ errors }: RemoteBatch): string[] {
  const shown = errors.slice(0, faultsShown).map(({ line, code, message }) => {
    const place = line === null ? "" : `line ${line}: `;
    return `  ${place}${harmless(message)} (${harmless(code)})`;
  });
  const more = errors.length - shown.length;
  return more > 0 ? [...shown, `  and ${count(more, "more fault")}`] : shown;
}
