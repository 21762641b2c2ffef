import { isBatchRunning, type ShownBatch } from "../../operations/retrieveBatch.js";
import type { ShownJob } from "../../operations/retrieveJob.js";
import { Badge, type Tone } from "../../parts/badge.js";
import type { Option } from "../../parts/fields.js";
import { formatCount } from "../../parts/format.js";
import { Meter } from "../../parts/meter.js";

type JobStatus = ShownJob["status"];
type BatchStatus = ShownBatch["status"];

/** A record, so that the compiler demands every new state. */
const states: Readonly<Record<JobStatus | BatchStatus, readonly [word: string, tone: Tone]>> = {
  queued: ["waiting", "quiet"],
  validating: ["checking the file", "quiet"],
  in_progress: ["running", "quiet"],
  finalizing: ["writing results", "quiet"],
  cancelling: ["stopping", "quiet"],
  cancelled: ["cancelled", "quiet"],
  completed: ["completed", "good"],
  expired: ["out of time", "warn"],
  failed: ["failed", "bad"],
};

export const jobStates = ["queued", "in_progress", "completed", "failed", "cancelled"] as const;
export const batchStates = [
  "validating",
  "in_progress",
  "finalizing",
  "completed",
  "failed",
  "expired",
  "cancelling",
  "cancelled",
] as const;

/** The states in words, to choose from. */
export function stateOptions(values: readonly (JobStatus | BatchStatus)[]): Option[] {
  return values.map((value) => {
    const [word] = states[value];
    return { value, label: word.charAt(0).toUpperCase() + word.slice(1) };
  });
}

interface WorkStateProps {
  readonly status: JobStatus | BatchStatus;
  /** Adds the word of the API, where it is another one. */
  readonly isWhole?: boolean;
  /** The code of the error that ended it. */
  readonly reason?: string | null | undefined;
  /** The lines of a batch. One that ran to its end may have failed lines alone. */
  readonly lines?: ShownBatch["request_counts"];
}

export function WorkState({ status, isWhole = false, reason, lines }: WorkStateProps) {
  const [word, tone] = (status === "completed" && lines && endOf(lines)) || states[status];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {isWhole && word !== status && (
        <>
          {" "}
          <code className="quiet" title="In the API">
            {status}
          </code>
        </>
      )}
      {typeof reason === "string" && (
        <div className="work-reason">
          <code className="small">{reason}</code>
        </div>
      )}
    </>
  );
}

/** The end of a batch some of whose lines failed. */
function endOf({ total, failed }: ShownBatch["request_counts"]): readonly [string, Tone] | undefined {
  if (failed === 0) return undefined;
  return failed === total ? ["all failed", "bad"] : ["some failed", "warn"];
}

/** The lines of a batch that have ended, of all. */
export function BatchProgress({ batch }: { readonly batch: ShownBatch }) {
  const { total, completed, failed } = batch.request_counts;
  // The lines are counted once the file was checked.
  if (total === 0) return <span className="quiet">{isBatchRunning(batch) ? "not counted yet" : "none"}</span>;
  const words = `${formatCount(completed + failed)} of ${formatCount(total)}`;
  return (
    <>
      {words}
      {failed > 0 && `, ${formatCount(failed)} failed`}
      <Meter
        share={(completed + failed) / total}
        label={`${words} lines`}
        tone={failed > 0 ? "warn" : "good"}
      />
    </>
  );
}
