import { type GatewayClient, type Result, unwrap } from "@model-gateway/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useIsFollowing, useSignedIn } from "../session/session-context.js";

export type Call<Data> = (client: GatewayClient, signal: AbortSignal) => Promise<Result<Data>>;

interface OperationOptions {
  /** Asks again this often while the stream of events is down and the tab is seen. */
  readonly everyMs?: number;
  readonly isEnabled?: boolean;
}

/**
 * Loads the response of an operation.
 *
 * @param key The operationId and its arguments.
 */
export function useOperation<Data>(
  key: readonly unknown[],
  call: Call<Data>,
  { everyMs, isEnabled = true }: OperationOptions = {},
): UseQueryResult<Data> {
  const { client } = useSignedIn();
  const isFollowing = useIsFollowing();
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => unwrap(await call(client, signal)),
    enabled: isEnabled,
    ...(everyMs === undefined || isFollowing ? {} : { refetchInterval: everyMs }),
  });
}
