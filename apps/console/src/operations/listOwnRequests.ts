import { type QueryOf, unwrap } from "@model-gateway/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";

/** The newest requests of the key that is signed in, and older ones page by page. */
export function useListOwnRequests(query: QueryOf<"listOwnRequests">) {
  const { client } = useSignedIn();
  return useInfiniteQuery({
    queryKey: ["listOwnRequests", query],
    queryFn: async ({ pageParam, signal }) =>
      unwrap(await client.listOwnRequests({ ...query, ...(pageParam && { cursor: pageParam }) }, { signal })),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    // New rows are loaded on request and never pushed under the pointer.
    refetchOnWindowFocus: false,
  });
}
