import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

/** Calls an upstream once. It need not be in the configuration. */
export function useTryUpstream() {
  return useChange((client, body: Schemas["TryUpstreamRequest"]) => client.tryUpstream(body), []);
}
