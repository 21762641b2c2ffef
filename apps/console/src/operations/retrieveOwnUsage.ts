import type { QueryOf } from "@model-gateway/client";
import { useOperation } from "./use-operation.js";

export function useRetrieveOwnUsage(query: QueryOf<"retrieveOwnUsage">) {
  return useOperation(
    ["retrieveOwnUsage", query],
    (client, signal) => client.retrieveOwnUsage(query, { signal }),
    {
      everyMs: 60_000,
    },
  );
}
