import type { ExceededQuota, FileQuotas } from "../files/file-index.js";

/** Why the results of a batch have no room: for the error of its creation, or for its faults. */
interface QuotaRefusal {
  readonly code: "file_quota_exceeded" | "storage_full";
  readonly message: string;
}

/** @param bytes The bytes that the results may take. */
export function refuseForQuota(quota: ExceededQuota, bytes: number, quotas: FileQuotas): QuotaRefusal {
  const max = quotas[quota];
  const results = `The results of this batch may have ${bytes} bytes`;
  switch (quota) {
    case "keyBytesMax":
      return {
        code: "file_quota_exceeded",
        message: `${results}. With them, the files of this key would exceed ${max} bytes. Delete files that are not needed, or split the batch.`,
      };
    case "keyFilesMax":
      return {
        code: "file_quota_exceeded",
        message: `This key may store ${max} files, and has no room for the two that a batch writes. Delete files that are not needed.`,
      };
    case "storeBytesMax":
      return {
        code: "storage_full",
        message: `${results}, which is more than this key's share of the ${max} bytes for the files of all keys. Split the batch, or retry when other batches have ended or files have expired.`,
      };
  }
}
