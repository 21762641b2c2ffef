import { useOperation } from "./use-operation.js";

/** @param id Undefined to load nothing. */
export function useRetrieveOwnRequest(id: string | undefined) {
  return useOperation(
    ["retrieveOwnRequest", id],
    (client, signal) => client.retrieveOwnRequest(id ?? "", { signal }),
    { isEnabled: id !== undefined },
  );
}
