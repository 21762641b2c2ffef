import { unwrap } from "@model-gateway/client";
import { useQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { refreshAfter } from "./running-refresh.js";
import type { Schemas } from "./schemas.js";

/** One image job. For its caller it has the response. */
export function useRetrieveJob(id: string) {
  const { client, session } = useSignedIn();
  const isOperator = session.kind === "operator";
  return useQuery({
    queryKey: [isOperator ? "retrieveAnyJob" : "retrieveJob", id],
    queryFn: async ({ signal }) =>
      unwrap(await (isOperator ? client.retrieveAnyJob(id, { signal }) : client.retrieveJob(id, { signal }))),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      refreshAfter({
        isRunning: data !== undefined && isJobRunning(data),
        loads: dataUpdateCount,
        pages: 1,
      }),
  });
}

export function isJobRunning({ status }: Pick<Schemas["Job"], "status">): boolean {
  return status === "queued" || status === "in_progress";
}
