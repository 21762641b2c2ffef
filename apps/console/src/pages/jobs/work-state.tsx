import { isBatchRunning, type ShownBatch } from "../../operations/retrieveBatch.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { formatCount } from "../../parts/format.js";
import { Meter } from "../../parts/meter.js";

export type JobStatus = Schemas["Job"]["status"];
export type BatchStatus = ShownBatch["status"];

/** Records, so that the compiler demands every new state. */
const tones: Readonly<Record<JobStatus | BatchStatus, Tone>> = {
  queued: "quiet",
  validating: "quiet",
  in_progress: "quiet",
  finalizing: "quiet",
  cancelling: "quiet",
  cancelled: "quiet",
  completed: "good",
  expired: "warn",
  failed: "bad",
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

export function WorkState({ status }: { readonly status: JobStatus | BatchStatus }) {
  return <Badge tone={tones[status]}>{status.replace("_", " ")}</Badge>;
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
