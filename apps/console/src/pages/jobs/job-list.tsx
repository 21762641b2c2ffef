import { type JobsQuery, useListJobs } from "../../operations/listJobs.js";
import { useListModels } from "../../operations/listModels.js";
import type { ShownJob } from "../../operations/retrieveJob.js";
import { formatSpan, plural } from "../../parts/format.js";
import type { Column } from "../../parts/table.js";
import { When } from "../../parts/when.js";
import { useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { useSignedIn } from "../../session/session-context.js";
import { CreateHint, jobCommands } from "./create-hint.js";
import { JobCost, JobSheet } from "./job-sheet.js";
import { keyColumn } from "./work-key.js";
import { WorkPanel } from "./work-panel.js";
import { jobStates, stateOptions, WorkState } from "./work-state.js";

/** The filter in the address. */
const stateFilter = "job_state";

/** @param keyId Only jobs of this key. */
export function JobList({ keyId }: { readonly keyId?: string }) {
  const isOperator = useSignedIn().session.kind === "operator";
  const chosen = useAddress().query.get(stateFilter);
  const status = jobStates.find((one) => one === chosen);
  const query: JobsQuery = { ...(status && { status }), ...(keyId !== undefined && { key: keyId }) };
  const jobs = useListJobs({ limit: 20, ...query });
  const sheet = useSheet("job");
  const model = useListModels().data?.find(({ type }) => type === "image")?.id ?? "local-sketch";
  return (
    <>
      <WorkPanel<ShownJob>
        title="Image jobs"
        query={jobs}
        columns={isOperator ? [...columns, keyColumn()] : columns}
        sheet={sheet}
        states={{ filter: stateFilter, options: stateOptions(jobStates) }}
        isFiltered={Object.keys(query).length > 0}
        count={(rows) => plural(rows, "job")}
        none={
          <CreateHint label="image jobs" guide="image-jobs" code={jobCommands(model)}>
            No image jobs. A job is an image request that runs in the background, and is kept for a day.
          </CreateHint>
        }
      />
      {sheet.open !== undefined && (
        <JobSheet
          id={sheet.open}
          listed={jobs.data?.pages.flatMap((page) => page.data).find(({ id }) => id === sheet.open)}
          onClose={sheet.close}
        />
      )}
    </>
  );
}

const columns: readonly Column<ShownJob>[] = [
  { head: "Created", cell: ({ created_at }) => <When at={created_at} />, kind: "nowrap" },
  { head: "State", cell: ({ status, error }) => <WorkState status={status} reason={error?.code} /> },
  { head: "Model", cell: ({ model }) => <div className="whole-name">{model}</div> },
  { head: "Cost", cell: (job) => <JobCost job={job} />, kind: "number" },
  { head: "Took", cell: tookOf, kind: "number" },
  { head: "Operation", cell: ({ operation }) => operation },
];

/** Whole seconds: a job has no finer times. */
function tookOf({ started_at, completed_at }: ShownJob): string {
  if (started_at === null || completed_at === null) return "–";
  return formatSpan(completed_at - started_at);
}
