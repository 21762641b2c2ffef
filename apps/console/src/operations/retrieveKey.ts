import { useOperation } from "./use-operation.js";

/** One key by its id. */
export function useRetrieveKey(id: string | undefined) {
  return useOperation(["retrieveKey", id], (client, signal) => client.retrieveKey(id ?? "", { signal }), {
    isEnabled: id !== undefined,
  });
}
