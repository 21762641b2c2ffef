import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

/** Accepts a target's vectors as those of its space. The space id changes. */
export function useAcceptSpace() {
  return useChange(
    (client, body: Schemas["AcceptSpaceRequest"]) => client.acceptSpace(body),
    ["listUpstreams", "listAdminModels", "listModels"],
  );
}
