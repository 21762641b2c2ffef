import { type QueryOf, unwrap } from "@model-gateway/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { isJobChanging, type ShownJob } from "./retrieveJob.js";
import { refreshAfter } from "./running-refresh.js";

export type JobsQuery = QueryOf<"listAllJobs">;

interface JobPage {
  readonly data: readonly ShownJob[];
  readonly next_cursor: string | null;
}

/** The newest image jobs, of all keys for an operator, and older ones page by page. */
export function useListJobs({ key, ...query }: JobsQuery) {
  const { client, session } = useSignedIn();
  const isOperator = session.kind === "operator";
  return useInfiniteQuery({
    queryKey: [isOperator ? "listAllJobs" : "listJobs", query, key],
    queryFn: async ({ pageParam, signal }): Promise<JobPage> => {
      const page = { ...query, ...(pageParam && { cursor: pageParam }) };
      return isOperator
        ? unwrap(await client.listAllJobs({ ...page, ...(key !== undefined && { key }) }, { signal }))
        : unwrap(await client.listJobs(page, { signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      refreshAfter({
        isRunning: data?.pages.some((page) => page.data.some(isJobChanging)) ?? false,
        loads: dataUpdateCount,
        pages: data?.pages.length ?? 0,
      }),
  });
}
