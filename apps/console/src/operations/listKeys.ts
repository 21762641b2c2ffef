import { type QueryOf, unwrap } from "@model-gateway/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";

export type KeysQuery = QueryOf<"listKeys">;

interface KeysOptions {
  readonly isEnabled?: boolean;
  /** Asks again this often: a key that someone else creates has no event. */
  readonly everyMs?: number;
}

export function useListKeys(query: KeysQuery, { isEnabled = true, everyMs }: KeysOptions = {}) {
  const { client } = useSignedIn();
  return useInfiniteQuery({
    queryKey: ["listKeys", query],
    enabled: isEnabled,
    ...(everyMs && { refetchInterval: everyMs }),
    queryFn: async ({ pageParam, signal }) =>
      unwrap(await client.listKeys({ ...query, ...(pageParam && { cursor: pageParam }) }, { signal })),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
}
