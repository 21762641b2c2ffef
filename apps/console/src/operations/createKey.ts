import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

export function useCreateKey() {
  return useChange((client, body: Schemas["CreateKeyRequest"]) => client.createKey(body), ["listKeys"]);
}
