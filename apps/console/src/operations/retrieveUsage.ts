import type { QueryOf } from "@model-gateway/client";
import { useOperation } from "./use-operation.js";

export type UsageQuery = QueryOf<"retrieveUsage">;

export function useRetrieveUsage(
  query: UsageQuery,
  options: { readonly everyMs?: number; readonly isEnabled?: boolean } = {},
) {
  return useOperation(
    ["retrieveUsage", query],
    (client, signal) => client.retrieveUsage(query, { signal }),
    options,
  );
}
