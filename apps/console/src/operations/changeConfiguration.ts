import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

export type ConfigurationEntries = Pick<Schemas["ChangeConfigurationRequest"], "upstreams" | "models">;

/** Checks a change and returns its diff. Nothing is written. */
export function usePreviewChange() {
  return useChange(
    (client, entries: ConfigurationEntries) => client.changeConfiguration({ ...entries, dry_run: true }),
    [],
  );
}

/** Writes a change, if the file still has the version that was reviewed. */
export function useApplyChange() {
  return useChange(
    (client, change: ConfigurationEntries & { readonly version: string | null }) =>
      client.changeConfiguration({ ...change, dry_run: false }),
    ["retrieveConfiguration", "listUpstreams", "listAdminModels", "listAlerts"],
  );
}
