import { useOperation } from "./use-operation.js";

/** The key of the person who is signed in. */
export function useRetrieveOwnKey() {
  return useOperation(["retrieveOwnKey"], (client, signal) => client.retrieveOwnKey({ signal }), {
    everyMs: 15_000,
  });
}
