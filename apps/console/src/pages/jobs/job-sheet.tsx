import { useCancelJob } from "../../operations/cancelJob.js";
import { isJobRunning, type ShownJob, useRetrieveJob } from "../../operations/retrieveJob.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatTime } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { Money } from "../../parts/money.js";
import { Loaded } from "../../parts/states.js";
import { linkTo } from "../../routes/address.js";
import { useRequestsPath } from "../../session/session-context.js";
import { ErrorCode } from "../error-code.js";
import { CancelWork } from "./cancel-work.js";
import { keyFacts } from "./work-key.js";
import { WorkState } from "./work-state.js";

interface JobSheetProps {
  readonly id: string;
  /** The job as the list has it, until it is loaded. An address may name one that is not listed. */
  readonly listed: ShownJob | undefined;
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

function JobDetails({ job }: { readonly job: ShownJob }) {
  const cancel = useCancelJob();
  const requestsPath = useRequestsPath();
  const { id, error, request_id } = job;
  return (
    <div className="stack">
      {error !== null && (
        <section className="failure" aria-label="Why it failed">
          <p className="failure-message">
            <Message text={error.message} />
          </p>
          <ErrorCode code={error.code} />
        </section>
      )}
      <Facts facts={[...factsOf(job), ...keyFacts(job), ...timesOf(job)]} />
      {job.status === "completed" && (
        <p>
          Its caller gets the images by <code>GET /v1/jobs/{id}</code>.
        </p>
      )}
      {/* It is recorded once the job has ended. */}
      {!isJobRunning(job) && <a href={linkTo(requestsPath, { job: id, request: request_id })}>Its request</a>}
      {isJobRunning(job) && (
        <CancelWork
          id={id}
          what="job"
          consequence="The upstream may charge for images that it has begun."
          cancel={cancel}
        />
      )}
    </div>
  );
}

/** The cost of a running job is unknown. */
export function JobCost({ job }: { readonly job: ShownJob }) {
  return isJobRunning(job) ? "–" : <Money usd={job.cost_usd} />;
}

function factsOf(job: ShownJob): readonly Fact[] {
  const { id, status, operation, model, request_id } = job;
  const images = "response" in job ? job.response?.data : undefined;
  return [
    ["Id", <CopyId key="id" id={id} what="the job" />],
    ["State", <WorkState key="state" status={status} isWhole />],
    ["Operation", operation],
    [
      "Model",
      <a key="model" href={linkTo("/models", { model })}>
        {model}
      </a>,
    ],
    ["Request id", <CopyId key="request" id={request_id} what="the request" />],
    ["Cost", <JobCost key="cost" job={job} />],
    ...(images === undefined ? [] : ([["Images", String(images.length)]] as const)),
  ];
}

function timesOf(job: ShownJob): Fact[] {
  const times: readonly (readonly [string, number | null])[] = [
    ["Created", job.created_at],
    ["Started", job.started_at],
    ["Ended", job.completed_at],
    ["Kept until", job.expires_at],
  ];
  return times.flatMap(([word, at]): Fact[] => (at === null ? [] : [[word, formatTime(at)]]));
}
