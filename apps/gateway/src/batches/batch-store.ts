import type { RecordOwner } from "@model-gateway/domain/record-owner";
import type { ExceededQuota, FileQuotas } from "../files/file-index.js";
import type { NewDelivery } from "../webhooks/delivery-store.js";
import type { PausableWork } from "../work/leased-work.js";
import type {
  Batch,
  BatchCounts,
  BatchEnd,
  BatchFault,
  BatchPart,
  BatchStatus,
  LineRange,
  PartProgress,
  PendingLine,
} from "./batch.js";

export type NewBatch = Pick<
  Batch,
  | "id"
  | "keyId"
  | "keyName"
  | "owner"
  | "endpoint"
  | "inputFileId"
  | "site"
  | "origin"
  | "metadata"
  | "outputTtlMs"
  | "createdAt"
  | "expiresAt"
  | "reservedBytes"
>;

/** Bounds of one key: a batch that has not ended counts with its reservation. */
export interface BatchBounds {
  readonly quotas: FileQuotas;
  /** Batches that have not ended. */
  readonly activeMax: number;
}

/** `owner` adds those of the owner of the key. */
export interface BatchFilter extends Partial<RecordOwner> {
  readonly status?: BatchStatus;
}

export interface BatchPage {
  readonly limit: number;
  /** The id of the last batch of the page before. */
  readonly after?: string;
}

/**
 * Batches in the database that all replicas share. A batch belongs to the site that has its files: the replicas of one
 * bucket, or of one data folder. Only they claim it.
 */
export interface BatchStore {
  /** Where this process stores files. */
  readonly site: string;
  /** The steps of batches: checking the file, and writing the output. */
  readonly steps: PausableWork<Batch>;
  readonly parts: PausableWork<BatchPart>;
  /** Ends the leases of the last run, if no other process can have one. Called at the start. */
  endLeases(): Promise<void>;
  /** Adds a batch, unless its key has too many, or its reservation exceeds a quota. Returns that bound. */
  create(batch: NewBatch, bounds: BatchBounds): Promise<Batch | ExceededBound>;
  find(id: string): Promise<Batch | undefined>;
  /** Newest first. Undefined if `after` is not a batch of the filter's key or owner. */
  list(
    filter: BatchFilter,
    page: BatchPage,
  ): Promise<{ readonly batches: readonly Batch[]; readonly hasMore: boolean } | undefined>;
  /**
   * The file has no faults: its parts are queued. Nothing happens if the holder has lost the batch. Returns the quota that
   * its results would exceed: then it has not begun.
   */
  begin(id: string, holder: string, found: ValidFile): Promise<ExceededQuota | undefined>;
  /** The quota that a key exceeds with what is reserved for its batches. */
  exceeded(keyId: string, quotas: FileQuotas): Promise<ExceededQuota | undefined>;
  /**
   * Stops a batch that has not ended. Parts that wait never run. Those that run end first, and then the output is
   * written. False if its end was decided already.
   */
  stop(id: string, how: StopBatch): Promise<boolean>;
  /** The batches whose time is over, and whose end is not decided. */
  overdue(now: number): Promise<readonly string[]>;
  /** Notes the ids of the files that will be written, so that a second attempt replaces them. */
  planOutput(
    id: string,
    holder: string,
    files: Pick<EndedBatch, "outputFileId" | "errorFileId">,
  ): Promise<void>;
  /** The output is written. False if the holder has lost the batch. Its events are stored with the end. */
  end(
    id: string,
    holder: string,
    ended: EndedBatch & { readonly events: readonly NewDelivery[]; readonly faults?: readonly BatchFault[] },
  ): Promise<boolean>;

  /** Stores results, and the lines that are left. False if the holder has lost the part. */
  savePart(part: BatchPart, holder: string, saved: SavedPart): Promise<boolean>;
  /** The part of a batch that was stopped will not run. */
  dropPart(part: BatchPart, holder: string): Promise<void>;
  /** Parts in the order of the file. */
  listParts(batchId: string, page: { readonly from: number; readonly limit: number }): Promise<BatchPart[]>;

  /** Ids of batches that ended before a time. */
  endedBefore(time: number, limit: number): Promise<readonly string[]>;
  delete(ids: readonly string[]): Promise<void>;
}

export interface ValidFile {
  readonly model: string | null;
  readonly total: number;
  readonly ranges: readonly LineRange[];
  /** The bytes that its results may take. */
  readonly resultBytes: number;
  readonly quotas: FileQuotas;
  readonly now: number;
}

/** `activeMax`: the batches of the key that have not ended. */
export type ExceededBound = "activeMax" | ExceededQuota;

export interface StopBatch {
  readonly outcome: Exclude<BatchEnd, "completed">;
  readonly faults?: readonly BatchFault[];
  readonly now: number;
}

export interface EndedBatch {
  readonly status: BatchEnd;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  /** The final counts: lines that never ran have failed. */
  readonly counts: BatchCounts;
  readonly now: number;
}

export interface SavedPart extends PartProgress {
  /** Empty if all lines have ended. */
  readonly pending: readonly PendingLine[];
  /** When the lines that are left run. */
  readonly resumeAt: number;
}
