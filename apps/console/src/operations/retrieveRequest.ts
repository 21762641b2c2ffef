import { useOperation } from "./use-operation.js";

/** One request by its id, for an address that names one which the list does not show. */
export function useRetrieveRequest(id: string | undefined) {
  return useOperation(
    ["retrieveRequest", id],
    (client, signal) => client.retrieveRequest(id ?? "", { signal }),
    { isEnabled: id !== undefined },
  );
}
