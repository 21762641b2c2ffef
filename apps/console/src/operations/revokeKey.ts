import { useChange } from "./use-change.js";

export function useRevokeKey() {
  return useChange((client, key: string) => client.revokeKey(key), ["listKeys", "retrieveKey"]);
}
