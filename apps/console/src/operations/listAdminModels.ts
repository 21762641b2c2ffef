import { useOperation } from "./use-operation.js";

export function useListAdminModels({ isEnabled = true }: { readonly isEnabled?: boolean } = {}) {
  return useOperation(["listAdminModels"], (client, signal) => client.listAdminModels({ signal }), {
    isEnabled,
  });
}
