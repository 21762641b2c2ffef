import type { ModelOperation, Schemas } from "@model-gateway/domain/operations";
import type { RecordOwner } from "@model-gateway/domain/record-owner";

export type BatchStatus = Schemas["BatchStatus"];
export interface BatchFault extends Readonly<Schemas["BatchFault"]> {
  /** The message for operators, where that for the caller quotes the file. */
  readonly operatorMessage?: string | undefined;
}
/** The path that the lines call. */
export type BatchEndpoint = Schemas["BatchEndpoint"];
/** The states that a batch stays in. */
export type BatchEnd = Extract<BatchStatus, "completed" | "failed" | "expired" | "cancelled">;

/** The operation of each path. */
export const endpointOperations: Readonly<Record<BatchEndpoint, ModelOperation>> = {
  "/v1/embeddings": "createEmbedding",
  "/v1/images/generations": "createImage",
  "/v1/images/edits": "createImageEdit",
};

/** A batch, as it is stored. Times are milliseconds since 1970. */
export interface Batch extends RecordOwner {
  readonly id: string;
  readonly keyName: string;
  readonly status: BatchStatus;
  /** How it ends, once that is decided: lines may still run, and files may still be written. */
  readonly outcome: BatchEnd | null;
  readonly endpoint: BatchEndpoint;
  /** Null until the input file is checked. */
  readonly model: string | null;
  readonly inputFileId: string;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  /** Where its files are: see `BatchStore`. */
  readonly site: string;
  /** The address at which its caller reaches the gateway, for links. */
  readonly origin: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** How long the output files are kept; null: as long as files are. */
  readonly outputTtlMs: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly inProgressAt: number | null;
  readonly finalizingAt: number | null;
  readonly cancellingAt: number | null;
  readonly endedAt: number | null;
  readonly counts: BatchCounts;
  readonly tokens: BatchTokens;
  /** The bytes that its results take and may take, until they are files: it counts in the quotas of its key. */
  readonly reservedBytes: number;
  /** The first estimate of it. More is reserved when results are larger. */
  readonly plannedBytes: number;
  /** The images behind links in its results. */
  readonly linkedBytes: number;
  readonly faults: readonly BatchFault[] | null;
  /** How often its current step was begun. */
  readonly attempts: number;
}

export interface BatchCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
}

export interface BatchTokens {
  readonly input: number;
  readonly output: number;
}

/** A range of lines in the input file. */
export interface LineRange {
  /** Bytes of the file: `start` is the first, `end` is after the last. */
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly firstLine: number;
  readonly lines: number;
}

/** Lines of a batch that run together, and their results. */
export interface BatchPart extends LineRange {
  readonly id: string;
  readonly batchId: string;
  /** Counted from 0. */
  readonly number: number;
  /** The lines that have not ended; null: all of them. */
  readonly pending: readonly PendingLine[] | null;
  readonly segments: readonly PartSegment[];
  /** How often it was begun since lines of it last ended. */
  readonly attempts: number;
}

/** A line that will run again. */
export interface PendingLine {
  /** Counted from 1, in the file. */
  readonly line: number;
  /** How often an upstream has failed. */
  readonly failures: number;
  /** It ran to its end, but its result could not be stored. Absent: no. */
  readonly hasRun?: true;
}

/** Results of a part in one stored file: first the lines of the output file, then those of the error file. */
export interface PartSegment {
  readonly fileId: string;
  readonly outputBytes: number;
  readonly errorBytes: number;
}

/** The results of a part that are added in one step. */
export interface PartProgress {
  /** Absent if no line has ended. */
  readonly segment?: PartSegment;
  readonly completed: number;
  readonly failed: number;
  readonly tokens: BatchTokens;
  /** The size of these results with their images, and what was reserved for them. */
  readonly storedBytes: number;
  readonly estimatedBytes: number;
  /** The images behind links in them. */
  readonly linkedBytes: number;
}

export function hasEnded({ status }: Pick<Batch, "status">): boolean {
  return ends.has(status);
}

const ends: ReadonlySet<BatchStatus> = new Set<BatchEnd>(["completed", "failed", "expired", "cancelled"]);
