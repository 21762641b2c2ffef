/** A process of its own for the job, so that the durations of interactive requests do not contain its work. */
import { type BulkJob, sendJob } from "./bulk-load.js";

process.on("message", async (job: BulkJob) => {
  process.send?.({ failed: await sendJob(job) });
});
process.send?.({});
