import { useSignedIn } from "../session/session-context.js";
import { useChange } from "./use-change.js";

export function useCancelJob() {
  const isOperator = useSignedIn().session.kind === "operator";
  return useChange(
    (client, job: string) => (isOperator ? client.cancelAnyJob(job) : client.cancelJob(job)),
    ["listAllJobs", "listJobs", "retrieveAnyJob", "retrieveJob"],
  );
}
