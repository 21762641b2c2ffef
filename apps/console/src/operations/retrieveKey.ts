import { useOperation } from "./use-operation.js";

/** @param id Undefined to load nothing. */
export function useRetrieveKey(id: string | undefined) {
  return useOperation(["retrieveKey", id], (client, signal) => client.retrieveKey(id ?? "", { signal }), {
    isEnabled: id !== undefined,
  });
}
