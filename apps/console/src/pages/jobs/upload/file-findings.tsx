import type { ReactNode } from "react";
import { type Fact, Facts } from "../../../parts/facts.js";
import { formatBytes, formatCount, formatShare, plural } from "../../../parts/format.js";
import { Meter } from "../../../parts/meter.js";
import { FaultTable } from "../fault-table.js";
import { type FilePreview, faultsMax } from "./preview-file.js";
import { lineBytesMax } from "./read-lines.js";

interface FileFindingsProps {
  readonly file: File;
  readonly found: FilePreview;
  readonly isDone: boolean;
  /** Why the gateway will refuse models of the file. */
  readonly refusals: readonly string[];
  /** About what the batch will cost, in words. */
  readonly cost: string;
}

/** The findings in a file so far. */
export function FileFindings({ file, found, isDone, refusals, cost }: FileFindingsProps) {
  const { faults, faultyLines, failures, failingLines, skippedLines, ignoresRepeats } = found;
  const share = found.bytesRead / Math.max(1, file.size);
  return (
    <>
      <Facts facts={factsOf({ file, found, refusals, cost })} />
      {!isDone && (
        <p className="small quiet" role="status">
          Reading the file: {formatShare(share)}
          <Meter share={share} label="Share of the file that is read" tone="good" />
        </p>
      )}
      {faultyLines > 0 && (
        <>
          <p className="notice">
            {plural(faultyLines, "line has a fault", "lines have faults")}. The gateway runs a file only if
            all its lines are valid.
          </p>
          <FaultTable faults={faults} />
          {faults.length >= faultsMax && (
            <p className="quiet small">The first {formatCount(faults.length)} faults.</p>
          )}
        </>
      )}
      {failingLines > 0 && (
        <>
          <p className="notice">
            {plural(failingLines, "line", "lines")} will fail when{" "}
            {failingLines === 1 ? "it runs" : "they run"}.
            {faultyLines === 0 && " The other lines are not affected."}
          </p>
          <FaultTable faults={failures} caption="Lines that will fail" />
          {failures.length >= faultsMax && (
            <p className="quiet small">The first {formatCount(failures.length)} reasons.</p>
          )}
        </>
      )}
      <p className="quiet small">
        Not checked here: options such as <code>dimensions</code> or <code>size</code>, and the length of
        texts. A line that the model refuses fails alone, when it runs.
      </p>
      {isDone && found.lines === 0 && <p className="notice">The file has no lines.</p>}
      {skippedLines > 0 && (
        <p className="quiet small">
          {plural(skippedLines, "line is", "lines are")} longer than {formatBytes(lineBytesMax)} and left to
          the gateway.
        </p>
      )}
      {ignoresRepeats && (
        <p className="quiet small">
          There are too many custom ids to look for repeated ones here. The gateway does.
        </p>
      )}
    </>
  );
}

function factsOf({ file, found, refusals, cost }: Omit<FileFindingsProps, "isDone">): Fact[] {
  const { lines, urls, endpoint, items, skippedLines } = found;
  return [
    ["File", `${file.name}, ${formatBytes(file.size)}`],
    ["Lines", formatCount(lines)],
    [
      endpoint === undefined || endpoint === "/v1/embeddings" ? "Texts" : "Images",
      `${skippedLines > 0 ? "at least " : ""}${formatCount(items)}`,
    ],
    ["Endpoint", urls.size === 0 ? "none found" : <Counts counts={urls} of={lines} />],
    [
      "Model",
      found.models.size === 0 ? (
        "none found"
      ) : (
        <>
          <Counts counts={found.models} of={lines} />
          {refusals.map((refusal) => (
            <p key={refusal} className="tone-warn">
              {refusal}
            </p>
          ))}
        </>
      ),
    ],
    ["Cost", cost],
  ];
}

interface CountsProps {
  readonly counts: ReadonlyMap<string | undefined, number>;
  readonly of: number;
}

/** Names, with the number of their lines where there are several. */
function Counts({ counts, of }: CountsProps): ReactNode {
  return [...counts].map(([name, count]) => (
    <div key={name ?? ""}>
      {name ?? "the gateway's default"}
      {count !== of && <span className="quiet"> ({plural(count, "line")})</span>}
    </div>
  ));
}
