import { type GatewayClient, type Result, unwrap } from "@model-gateway/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";

/** Runs a mutation, and reloads the queries that it outdates. */
export function useChange<Input, Data>(
  change: (client: GatewayClient, input: Input) => Promise<Result<Data>>,
  outdates: readonly string[],
) {
  const { client } = useSignedIn();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => unwrap(await change(client, input)),
    onSettled: () =>
      Promise.all(outdates.map((operation) => queries.invalidateQueries({ queryKey: [operation] }))),
  });
}
