import { useCancelJob } from "../../operations/cancelJob.js";
import { isJobRunning, useRetrieveJob } from "../../operations/retrieveJob.js";
import { useRetrieveOwnRequest } from "../../operations/retrieveOwnRequest.js";
import { useRetrieveRequest } from "../../operations/retrieveRequest.js";
import type { Schemas } from "../../operations/schemas.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatTime } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { Money } from "../../parts/money.js";
import { Loaded } from "../../parts/states.js";
import { linkTo } from "../../routes/address.js";
import { useSignedIn } from "../../session/session-context.js";
import { CancelWork } from "./cancel-work.js";
import { WorkState } from "./work-state.js";

type Job = Schemas["Job"];

interface JobSheetProps {
  readonly id: string;
  /** The job as the list has it, until it is loaded. An address may name one that is not listed. */
  readonly listed: Job | undefined;
  readonly onClose: () => void;
}

/** One image job, beside the list. */
export function JobSheet({ id, listed, onClose }: JobSheetProps) {
  const { data = listed, error, refetch } = useRetrieveJob(id);
  return (
    <Dialog kind="sheet" title="Image job" onClose={onClose}>
      <Loaded query={{ data, error, refetch }}>{(job) => <JobDetails job={job} />}</Loaded>
    </Dialog>
  );
}

function JobDetails({ job }: { readonly job: Job }) {
  const cancel = useCancelJob();
  const isOperator = useSignedIn().session.kind === "operator";
  const cost = useJobCost(job, isOperator);
  return (
    <div className="stack">
      {job.error !== null && (
        <section className="failure" aria-label="Why it failed">
          <p className="failure-message">
            <Message text={job.error.message} />
          </p>
          {job.error.code !== null && <code>{job.error.code}</code>}
        </section>
      )}
      <Facts facts={factsOf(job, { isOperator, cost })} />
      {isJobRunning(job) && (
        <CancelWork
          id={job.id}
          what="job"
          consequence="The upstream may charge for images that it has begun."
          cancel={cancel}
        />
      )}
    </div>
  );
}

/** The cost is in the record of the run, which is written some seconds after its end. */
function useJobCost(job: Job, isOperator: boolean): number | null | undefined {
  const id = isJobRunning(job) ? undefined : job.request_id;
  const all = useRetrieveRequest(isOperator ? id : undefined);
  const own = useRetrieveOwnRequest(isOperator ? undefined : id);
  return (isOperator ? all : own).data?.cost_usd;
}

interface JobView {
  readonly isOperator: boolean;
  readonly cost: number | null | undefined;
}

function factsOf(job: Job, { isOperator, cost }: JobView): readonly Fact[] {
  const { id, status, operation, model, key_id, request_id, response } = job;
  const times: readonly (readonly [string, number | null])[] = [
    ["Created", job.created_at],
    ["Started", job.started_at],
    ["Ended", job.completed_at],
    ["Kept until", job.expires_at],
  ];
  const requestLink = linkTo(isOperator ? "/requests" : "/key", { request: request_id });
  return [
    ["Id", <CopyId key="id" id={id} what="the job" />],
    ["State", <WorkState key="state" status={status} />],
    ["Operation", operation],
    [
      "Model",
      <a key="model" href={linkTo("/models", { model })}>
        {model}
      </a>,
    ],
    ...(isOperator
      ? ([
          [
            "Key",
            <a key="key" href={linkTo("/keys", { key: key_id })}>
              {key_id}
            </a>,
          ],
        ] as const)
      : []),
    [
      "Request",
      // It is recorded once the job has ended.
      isJobRunning(job) ? (
        request_id
      ) : (
        <CopyId key="request" id={request_id} what="the request" link={requestLink} />
      ),
    ],
    ...(isJobRunning(job) ? [] : ([["Cost", <Money key="cost" usd={cost} />]] as const)),
    ...(response?.data === undefined ? [] : ([["Images", String(response.data.length)]] as const)),
    ...times.flatMap(([word, at]): Fact[] => (at === null ? [] : [[word, formatTime(at)]])),
  ];
}
