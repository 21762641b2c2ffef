import { type QueryOf, unwrap } from "@model-gateway/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { isBatchChanging, type ShownBatch } from "./retrieveBatch.js";
import { refreshAfter } from "./running-refresh.js";

export type BatchesQuery = QueryOf<"listAllBatches">;

interface BatchPage {
  readonly data: readonly ShownBatch[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

/** The newest batches, of all keys for an operator, and older ones page by page. Only an operator filters by key. */
export function useListBatches({ limit = 20, key, ...filters }: BatchesQuery) {
  const { client, session } = useSignedIn();
  const isOperator = session.kind === "operator";
  return useInfiniteQuery({
    queryKey: [isOperator ? "listAllBatches" : "listBatches", limit, filters, key],
    queryFn: async ({ pageParam, signal }): Promise<BatchPage> => {
      const page = { ...filters, limit, ...(pageParam && { after: pageParam }) };
      return isOperator
        ? unwrap(await client.listAllBatches({ ...page, ...(key !== undefined && { key }) }, { signal }))
        : unwrap(await client.listBatches(page, { signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => (page.has_more ? page.last_id : null),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      refreshAfter({
        isRunning: data?.pages.some((page) => page.data.some(isBatchChanging)) ?? false,
        loads: dataUpdateCount,
        pages: data?.pages.length ?? 0,
      }),
  });
}
