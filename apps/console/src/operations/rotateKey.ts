import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

interface Rotation {
  readonly key: string;
  readonly body: Schemas["RotateKeyRequest"];
}

export function useRotateKey() {
  return useChange(
    (client, { key, body }: Rotation) => client.rotateKey(key, body),
    ["listKeys", "retrieveKey"],
  );
}
