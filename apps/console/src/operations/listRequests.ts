import { type QueryOf, unwrap } from "@model-gateway/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import type { Schemas } from "./schemas.js";
import { useOperation } from "./use-operation.js";

export type RequestsQuery = QueryOf<"listRequests">;

/** The newest requests that fit, and older ones page by page. Nothing loads all pages. */
export function useListRequests(query: RequestsQuery) {
  const { client } = useSignedIn();
  return useInfiniteQuery({
    queryKey: ["listRequests", query],
    queryFn: async ({ pageParam, signal }) =>
      unwrap(await client.listRequests({ ...query, ...(pageParam && { cursor: pageParam }) }, { signal })),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    // New rows are announced and never pushed under the pointer.
    refetchOnWindowFocus: false,
  });
}

/** Number of matching requests newer than the first one shown; at most 50. */
export function useNewerRequests(query: RequestsQuery, first: Schemas["RequestRecord"] | undefined): number {
  const { data } = useOperation(
    ["listRequests", "newer", query],
    (client, signal) => client.listRequests({ ...query, limit: 50 }, { signal }),
    { everyMs: 10_000, isEnabled: first !== undefined },
  );
  if (first === undefined || data === undefined) return 0;
  const place = data.data.findIndex(({ id }) => id === first.id);
  if (place >= 0) return place;
  // Right after a reload, the list may be older than the page.
  return (data.data[0]?.created_at ?? 0) > first.created_at ? data.data.length : 0;
}

/** Whether any request was made yet; undefined while it is not known. Events of requests load it again. */
export function useHasRequests(): boolean | undefined {
  const { data } = useOperation(
    ["listRequests", "newer", "any"],
    (client, signal) => client.listRequests({ limit: 1 }, { signal }),
    { everyMs: 10_000 },
  );
  return data && data.data.length > 0;
}
