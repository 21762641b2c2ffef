import { useOperation } from "./use-operation.js";

export function useListAlerts() {
  return useOperation(["listAlerts"], (client, signal) => client.listAlerts({ signal }), {
    everyMs: 30_000,
  });
}
