import { newOrderedId } from "@model-gateway/runtime/new-id";
import type { FileService } from "../files/file-service.js";
import type { NewDelivery } from "../webhooks/delivery-store.js";
import type { Batch, BatchCounts, BatchFault } from "./batch.js";
import type { BatchStore, EndedBatch } from "./batch-store.js";
import type { ShapeOf } from "./parse-line.js";
import { errorsOf, outputOf, segmentsOf } from "./write-output.js";

/** The events of a batch that ends. */
export type AnnounceBatch = (batch: Batch, ended: EndedBatch) => readonly NewDelivery[];

interface FinishBatchOptions {
  readonly store: BatchStore;
  readonly files: FileService;
  readonly lineBytesMax: number;
  readonly shapeOf: ShapeOf;
  readonly holder: string;
  readonly announce: AnnounceBatch;
  /** How long output files are kept if the batch does not say so. */
  readonly keepMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Writes the output and error files of a batch whose lines have ended, and ends it. It can be repeated after a crash: the
 * ids of the files are noted first, and files of an earlier attempt are replaced. Undefined if another process does it.
 */
export async function finishBatch(
  batch: Batch,
  options: FinishBatchOptions,
): Promise<EndedBatch | undefined> {
  const { store, files, holder, lineBytesMax, shapeOf, now } = options;
  const counts = finalCounts(batch);
  const planned = {
    outputFileId: counts.completed === 0 ? null : (batch.outputFileId ?? newOrderedId("file-", now())),
    errorFileId: counts.failed === 0 ? null : (batch.errorFileId ?? newOrderedId("file-", now() + 1)),
  };
  await store.planOutput(batch.id, holder, planned);
  const reading = { store, files: files.store, lineBytesMax, shapeOf };
  const write = async (id: string | null, name: "output" | "error", lines: () => AsyncIterable<Buffer>) => {
    if (id === null) return;
    await files.discard(id);
    const expiresAt = now() + (batch.outputTtlMs ?? options.keepMs);
    await files.createOutput({
      id,
      keyId: batch.keyId,
      owner: batch.owner,
      filename: `${batch.id}_${name}.jsonl`,
      expiresAt,
      linkedBytes: name === "output" ? batch.linkedBytes : 0,
      write: lines(),
    });
  };
  await write(planned.outputFileId, "output", () => outputOf(batch, reading));
  await write(planned.errorFileId, "error", () => errorsOf(batch, reading));
  const ended = { status: batch.outcome ?? "completed", ...planned, counts, now: now() };
  const parts: string[] = [];
  for await (const { fileId } of segmentsOf(batch, { store })) parts.push(fileId);
  const events = options.announce(batch, ended);
  if (!(await store.end(batch.id, holder, { ...ended, events }))) return undefined;
  // The sweep removes files that a crash here leaves behind.
  for (const fileId of parts) await files.store.delete(fileId);
  return ended;
}

/** Ends a batch whose output cannot be written. */
export async function endWithoutOutput(
  batch: Batch,
  faults: readonly BatchFault[],
  { store, holder, announce, now }: Pick<FinishBatchOptions, "store" | "holder" | "announce" | "now">,
): Promise<void> {
  const counts = finalCounts({ ...batch, counts: { ...batch.counts, completed: 0 } });
  const ended = { status: "failed", outputFileId: null, errorFileId: null, counts, now: now() } as const;
  await store.end(batch.id, holder, {
    ...ended,
    faults: batch.faults ?? faults,
    events: announce(batch, ended),
  });
}

/** Every line has ended, or never will. */
function finalCounts({ counts: { total, completed }, inProgressAt }: Batch): BatchCounts {
  return inProgressAt === null
    ? { total: 0, completed: 0, failed: 0 }
    : { total, completed, failed: total - completed };
}
