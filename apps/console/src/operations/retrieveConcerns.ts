import { useOperation } from "./use-operation.js";

export function useRetrieveConcerns() {
  return useOperation(["retrieveConcerns"], (client, signal) => client.retrieveConcerns({ signal }), {
    everyMs: 30_000,
  });
}
