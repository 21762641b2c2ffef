import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

/** Calls a target once. It costs as much as a small request. */
export function useProbeTarget() {
  return useChange(
    (client, body: Schemas["ProbeTargetRequest"]) => client.probeTarget(body),
    ["listUpstreams", "listAdminModels"],
  );
}
