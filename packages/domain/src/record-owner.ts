import type { AccessKey } from "./access-key.js";

/** To whom a job, a batch or a file belongs: the key that created it, and the owner that this key had then. */
export interface RecordOwner {
  readonly keyId: string;
  /** Absent: the key had none. */
  readonly owner?: string | undefined;
}

/** A caller, by its key, or the operator, who may see all. */
export type Viewer = RecordOwner | "operator";

export function viewerOf({ id: keyId, owner }: Pick<AccessKey, "id" | "owner">): RecordOwner {
  return { keyId, owner };
}

/** Keys of one owner share their records. To any other key a record does not exist. */
export function maySee(viewer: Viewer, record: RecordOwner): boolean {
  if (viewer === "operator" || viewer.keyId === record.keyId) return true;
  return record.owner !== undefined && record.owner === viewer.owner;
}
