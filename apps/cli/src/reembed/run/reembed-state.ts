import { isObject } from "@model-gateway/runtime/json";
import type { Place, Space } from "../rows.js";

/** How far a run is. It is kept in a file after each step. */
export interface ReembedState {
  /** A digest of the options. Another command has another state. */
  readonly job: string;
  readonly gateway: string;
  readonly space: Space;
  /** The place of the source after the last file. Absent: the beginning. */
  readonly place?: Place;
  /** Whether all rows are in files. */
  readonly isRead: boolean;
  /** The files whose results are not stored yet, oldest first. */
  readonly pending: readonly PendingFile[];
  /** The position of a sink that appends. */
  readonly sink: number | null;
  /** The size of the file with the failures. */
  readonly failures: number;
  readonly counts: ReembedCounts;
}

/** An uploaded file. */
export interface PendingFile {
  readonly file_id: string;
  /** Absent: the batch is not created yet, or the command was stopped before it knew. */
  readonly batch_id?: string;
  readonly lines: number;
  /** How often its lines have been tried before. */
  readonly attempt: number;
}

interface ReembedCounts {
  /** Rows with a text that were sent. */
  readonly rows: number;
  readonly written: number;
  readonly failed: number;
  /** Rows without a text. */
  readonly skipped: number;
  /** Rows that were deleted in the meantime. */
  readonly gone: number;
  readonly tokens: number;
}

export function isReembedState(value: unknown): value is ReembedState {
  return (
    isObject(value) &&
    typeof value.job === "string" &&
    typeof value.gateway === "string" &&
    typeof value.isRead === "boolean" &&
    typeof value.failures === "number" &&
    isObject(value.space) &&
    isObject(value.counts) &&
    Array.isArray(value.pending)
  );
}

export function firstState(begin: Pick<ReembedState, "job" | "gateway" | "space">): ReembedState {
  const counts = { rows: 0, written: 0, failed: 0, skipped: 0, gone: 0, tokens: 0 };
  return { ...begin, isRead: false, pending: [], sink: null, failures: 0, counts };
}

export function addCounts(counts: ReembedCounts, more: Partial<ReembedCounts>): ReembedCounts {
  const sum = (name: keyof ReembedCounts) => counts[name] + (more[name] ?? 0);
  return {
    rows: sum("rows"),
    written: sum("written"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    gone: sum("gone"),
    tokens: sum("tokens"),
  };
}
