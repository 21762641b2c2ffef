import { useOperation } from "./use-operation.js";

export function useRetrieveConfiguration({ isEnabled = true }: { readonly isEnabled?: boolean } = {}) {
  return useOperation(
    ["retrieveConfiguration"],
    (client, signal) => client.retrieveConfiguration({ signal }),
    { isEnabled },
  );
}
