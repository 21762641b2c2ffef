import type { RecordOwner } from "@model-gateway/domain/record-owner";

/** The records of files. All replicas share them. */
export interface FileIndex {
  /** Where this process stores files. */
  readonly site: string;
  /** Adds a file whose bytes are stored, unless it exceeds a quota. Returns that quota. */
  insert(record: FileRecord, quotas?: FileQuotas): Promise<ExceededQuota | undefined>;
  /** The quota that one more file of this size would exceed. */
  check(file: Pick<FileRecord, "keyId" | "bytes">, quotas: FileQuotas): Promise<ExceededQuota | undefined>;
  /** Undefined if there is no such file, or if it has expired. */
  find(id: string): Promise<FileRecord | undefined>;
  list(query: FileQuery): Promise<FilePage>;
  /** Remembers why a file was refused, as long as it exists. */
  noteRefusal(id: string, refusal: string): Promise<void>;
  refusalOf(id: string): Promise<string | undefined>;
  /** Whether there was such a file. */
  delete(id: string): Promise<boolean>;
  /** Lets a file expire now. Whether there was such a file. */
  expire(id: string): Promise<boolean>;
  /** Ids of files that have expired, the first ones. Those of another site are left to it for a day. */
  expired(count: number): Promise<string[]>;
  /**
   * Whether this process is to look for bytes without a record. Of all processes that store files in the same place, one
   * is, once in this time.
   */
  claimOrphanSearch(everyMs: number): Promise<boolean>;
  /** Those of the ids that have a record. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** `batch`: uploaded as the input of a batch. `batch_output`: written by a batch. */
export type FilePurpose = "batch" | "batch_output";

/** Times are milliseconds since 1970. */
export interface FileRecord extends RecordOwner {
  readonly id: string;
  readonly purpose: FilePurpose;
  readonly filename: string;
  readonly bytes: number;
  /** The images behind links in an output. They are kept as long as it is, and count in the quotas. */
  readonly linkedBytes?: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Where its bytes are. */
  readonly site: string;
}

export interface FileQuotas {
  /** Of one key. */
  readonly keyBytesMax: number;
  readonly keyFilesMax: number;
  /** Of all keys. Each may take as much of it as is free besides what it has. */
  readonly storeBytesMax: number;
}

export type ExceededQuota = keyof FileQuotas;

export interface FileQuery {
  /** Absent: the files of all keys. */
  readonly of?: RecordOwner | undefined;
  readonly purpose?: FilePurpose | undefined;
  /** By creation. */
  readonly order: "asc" | "desc";
  readonly limit: number;
  /** The id of the last file of the previous page. It may be deleted by now. */
  readonly after?: string | undefined;
}

export interface FilePage {
  readonly items: readonly FileRecord[];
  readonly hasMore: boolean;
}
