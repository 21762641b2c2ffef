import { type QueryOf, unwrap } from "@model-gateway/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";

export type KeysQuery = QueryOf<"listKeys">;

export function useListKeys(query: KeysQuery, { isEnabled = true }: { readonly isEnabled?: boolean } = {}) {
  const { client } = useSignedIn();
  return useInfiniteQuery({
    queryKey: ["listKeys", query],
    enabled: isEnabled,
    queryFn: async ({ pageParam, signal }) =>
      unwrap(await client.listKeys({ ...query, ...(pageParam && { cursor: pageParam }) }, { signal })),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
}
