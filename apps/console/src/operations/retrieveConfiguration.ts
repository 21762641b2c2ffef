import { useOperation } from "./use-operation.js";

export function useRetrieveConfiguration() {
  return useOperation(["retrieveConfiguration"], (client, signal) =>
    client.retrieveConfiguration({ signal }),
  );
}
