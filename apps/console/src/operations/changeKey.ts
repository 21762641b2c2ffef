import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

interface Change {
  readonly key: string;
  readonly body: Schemas["ChangeKeyRequest"];
}

export function useChangeKey() {
  return useChange(
    (client, { key, body }: Change) => client.changeKey(key, body),
    ["listKeys", "retrieveKey"],
  );
}
