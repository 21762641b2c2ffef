import type { ReactNode } from "react";
import { type ShownModel, useListModels } from "../../../operations/listModels.js";
import { type Fact, Facts } from "../../../parts/facts.js";
import { formatBytes, formatCount, formatShare, plural } from "../../../parts/format.js";
import { Meter } from "../../../parts/meter.js";
import { FaultTable } from "../fault-table.js";
import { type FilePreview, faultsMax } from "./preview-file.js";
import { lineBytesMax } from "./read-lines.js";
import { refusalOf } from "./refusal-of.js";

interface FileFindingsProps {
  readonly file: File;
  readonly found: FilePreview;
  readonly isDone: boolean;
}

/** The findings in a file so far. */
export function FileFindings({ file, found, isDone }: FileFindingsProps) {
  const models = useListModels().data;
  const { faults, faultyLines, skippedLines, ignoresRepeats } = found;
  const share = found.bytesRead / Math.max(1, file.size);
  return (
    <>
      <Facts facts={factsOf(file, found, models)} />
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

function factsOf(file: File, found: FilePreview, models: readonly ShownModel[] | undefined): Fact[] {
  const { lines, urls, endpoint } = found;
  return [
    ["File", `${file.name}, ${formatBytes(file.size)}`],
    ["Lines", formatCount(lines)],
    ["Endpoint", urls.size === 0 ? "none found" : <Counts counts={urls} of={lines} />],
    [
      "Model",
      found.models.size === 0 ? (
        "none found"
      ) : (
        <>
          <Counts counts={found.models} of={lines} />
          {[...found.models.keys()].map((model) => {
            const refusal = model === undefined ? undefined : refusalOf(model, { models, endpoint });
            return (
              refusal !== undefined && (
                <p key={model} className="tone-warn">
                  {refusal}
                </p>
              )
            );
          })}
        </>
      ),
    ],
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
