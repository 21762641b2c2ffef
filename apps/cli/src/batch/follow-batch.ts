import { count, span } from "../print/figures.js";
import type { Progress, Stage } from "../print/progress.js";
import { type Pacing, pause } from "../remote/retry.js";
import { hasEnded, type RemoteBatch } from "./batch.js";
import type { BatchApi } from "./batch-api.js";

interface Following {
  readonly progress: Progress;
  readonly pacing: Pacing;
  readonly signal: AbortSignal;
  /** Stands before the state of the batch. */
  readonly title?: string;
}

/** Waits for the end of a batch. The waits grow, since a batch that takes an hour need not be asked twice a second. */
export async function followBatch(
  api: BatchApi,
  id: string,
  { progress, pacing, signal, title = id }: Following,
): Promise<RemoteBatch> {
  const startedAt = Date.now();
  let first: number | undefined;
  for (let waitMs = pacing.pollMs; ; waitMs = Math.min(waitMs * 1.2, pacing.pollMsMax)) {
    const batch = await api.retrieve(id);
    const done = doneLines(batch);
    first ??= done;
    progress.show(stageOf(batch, { title, left: timeLeft(batch, { done: done - first, startedAt }) }));
    if (hasEnded(batch)) return batch;
    await pause(waitMs, signal);
  }
}

function doneLines({ request_counts: { completed, failed } }: RemoteBatch): number {
  return completed + failed;
}

/** At the speed since the command looks at the batch. */
function timeLeft(
  { request_counts: { total, completed, failed } }: RemoteBatch,
  { done, startedAt }: { readonly done: number; readonly startedAt: number },
): string | undefined {
  if (done <= 0) return undefined;
  const leftMs = ((Date.now() - startedAt) / done) * (total - completed - failed);
  return leftMs > 0 ? `${span(leftMs)} left` : undefined;
}

function stageOf(
  batch: RemoteBatch,
  { title, left }: { readonly title: string; readonly left: string | undefined },
): Stage {
  const { total, failed } = batch.request_counts;
  const details = [
    total === 0 ? undefined : `${doneLines(batch)} of ${count(total, "line")}`,
    failed === 0 ? undefined : `${failed} failed`,
    left,
  ];
  return {
    name: `${title} ${batch.status}`,
    ...(total > 0 && { share: doneLines(batch) / total }),
    detail: details.filter((detail) => detail !== undefined).join(", "),
  };
}
