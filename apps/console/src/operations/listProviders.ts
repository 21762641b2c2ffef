import { useOperation } from "./use-operation.js";

export function useListProviders() {
  return useOperation(["listProviders"], (client, signal) => client.listProviders({ signal }));
}
