import type { QueryOf } from "@model-gateway/client";
import { useOperation } from "./use-operation.js";

export type UsageQuery = QueryOf<"retrieveUsage">;

interface UsageOptions {
  readonly everyMs?: number;
  readonly isEnabled?: boolean;
}

export function useRetrieveUsage(query: UsageQuery, options: UsageOptions = {}) {
  return useOperation(
    ["retrieveUsage", query],
    (client, signal) => client.retrieveUsage(query, { signal }),
    options,
  );
}
