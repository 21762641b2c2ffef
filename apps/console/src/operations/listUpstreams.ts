import { useOperation } from "./use-operation.js";

export function useListUpstreams() {
  return useOperation(["listUpstreams"], (client, signal) => client.listUpstreams({ signal }), {
    everyMs: 5000,
  });
}
