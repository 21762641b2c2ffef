import type { AccessKey } from "@model-gateway/domain/access-key";

/** The unit that shares cached vectors. */
export type PartitionBy = "owner" | "key";

/**
 * The caller's partition: requests share cached vectors and upstream calls only within it. A key without an owner is
 * its own partition. Undefined where all callers share.
 */
export function partitionOf(
  key: Pick<AccessKey, "id" | "owner"> | undefined,
  partitionBy: PartitionBy | undefined,
): string | undefined {
  if (partitionBy === undefined) return undefined;
  // The names of the two kinds begin differently, so that no owner can be taken for a key.
  if (partitionBy === "owner" && key?.owner !== undefined) return `owner ${key.owner}`;
  return `key ${key?.id ?? ""}`;
}
