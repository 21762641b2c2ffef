import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

/** Makes the vectors of a target those of its space. The id of the space changes. */
export function useAcceptSpace() {
  return useChange(
    (client, body: Schemas["AcceptSpaceRequest"]) => client.acceptSpace(body),
    ["listUpstreams", "listAdminModels", "listModels"],
  );
}
