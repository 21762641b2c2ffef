import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

/** Compares the vectors of a model's targets. The gateway keeps the result. */
export function useCompareTargets() {
  return useChange(
    (client, body: Schemas["CompareTargetsRequest"]) => client.compareTargets(body),
    ["listAdminModels", "listAlerts"],
  );
}
