import { unwrap } from "@model-gateway/client";
import { useQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { isSettling, refreshAfter } from "./running-refresh.js";
import type { Schemas } from "./schemas.js";

/** An image job, as its caller or an operator sees it. */
export type ShownJob = Schemas["Job"] | Schemas["AdminJob"];

/** One image job. For its caller it has the response. */
export function useRetrieveJob(id: string) {
  const { client, session } = useSignedIn();
  const isOperator = session.kind === "operator";
  return useQuery({
    queryKey: [isOperator ? "retrieveAnyJob" : "retrieveJob", id],
    queryFn: async ({ signal }): Promise<ShownJob> =>
      isOperator
        ? unwrap(await client.retrieveAnyJob(id, { signal }))
        : unwrap(await client.retrieveJob(id, { signal })),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      refreshAfter({
        isRunning: data !== undefined && isJobChanging(data),
        loads: dataUpdateCount,
        pages: 1,
      }),
  });
}

export function isJobRunning({ status }: Pick<ShownJob, "status">): boolean {
  return status === "queued" || status === "in_progress";
}

/** Whether it runs, or its cost is not there yet. */
export function isJobChanging(job: ShownJob): boolean {
  return isJobRunning(job) || (job.cost_usd === null && isSettling(job.completed_at));
}
