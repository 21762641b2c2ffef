import { useCancelBatch } from "../../operations/cancelBatch.js";
import { useListModels } from "../../operations/listModels.js";
import { isBatchRunning, type ShownBatch, useRetrieveBatch } from "../../operations/retrieveBatch.js";
import { Badge } from "../../parts/badge.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatCount, formatSpan, formatTime } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { Loaded } from "../../parts/states.js";
import { linkTo } from "../../routes/address.js";
import { useRequestsPath } from "../../session/session-context.js";
import { BatchFaults, FailedLines } from "./batch-errors.js";
import { BatchFiles } from "./batch-files.js";
import { CancelWork } from "./cancel-work.js";
import { secondsLeft } from "./seconds-left.js";
import { retriedLines } from "./upload/refusal-of.js";
import { keyFacts } from "./work-key.js";
import { BatchProgress, WorkState } from "./work-state.js";

interface BatchSheetProps {
  readonly id: string;
  /** The batch as the list has it, until it is loaded. An address may name one that is not listed. */
  readonly listed: ShownBatch | undefined;
  readonly onClose: () => void;
}

/** One batch, beside the list. */
export function BatchSheet({ id, listed, onClose }: BatchSheetProps) {
  const { data = listed, error, refetch } = useRetrieveBatch(id);
  return (
    <Dialog kind="sheet" title="Batch" onClose={onClose}>
      <Loaded query={{ data, error, refetch }}>{(batch) => <BatchDetails batch={batch} />}</Loaded>
    </Dialog>
  );
}

function BatchDetails({ batch }: { readonly batch: ShownBatch }) {
  const cancel = useCancelBatch();
  const requestsPath = useRequestsPath();
  const { id, status, request_counts } = batch;
  return (
    <div className="stack">
      <BatchFaults batch={batch} />
      <Facts facts={[...factsOf(batch), ...keyFacts(batch), ...usageOf(batch)]} />
      <div className="row">
        {request_counts.total > 0 && <a href={linkTo(requestsPath, { batch: id })}>Its requests</a>}
        {request_counts.failed > 0 && (
          <a href={linkTo(requestsPath, { batch: id, failed: "true" })}>Its failed requests</a>
        )}
      </div>
      <FailedLines batch={batch} requestsPath={requestsPath} />
      <BatchFiles batch={batch} />
      <h3>Times</h3>
      <Facts facts={timesOf(batch)} />
      {isBatchRunning(batch) && status !== "cancelling" && (
        <CancelWork
          id={id}
          what="batch"
          consequence="Lines that run are finished, no more begin, and the results so far are written."
          cancel={cancel}
        />
      )}
    </div>
  );
}

function factsOf(batch: ShownBatch): readonly Fact[] {
  const { id, status, endpoint, model, request_counts, cost_usd, unpriced_requests } = batch;
  return [
    ["Id", <CopyId key="id" id={id} what="the batch" />],
    ["State", <WorkState key="state" status={status} lines={request_counts} isWhole />],
    ["Lines", <BatchProgress key="lines" batch={batch} />],
    ["Succeeded", formatCount(request_counts.completed)],
    ["Failed", formatCount(request_counts.failed)],
    ...durationOf(batch),
    [
      isBatchRunning(batch) ? "Cost so far" : "Cost",
      <Money key="cost" usd={cost_usd} unpriced={unpriced_requests} />,
    ],
    ["Endpoint", endpoint],
    [
      "Model",
      model === null ? (
        <span className="quiet">{isBatchRunning(batch) ? "not read yet" : "none"}</span>
      ) : (
        <>
          <a href={linkTo("/models", { model })}>{model}</a>{" "}
          {isBatchRunning(batch) && <FailingModel id={model} />}
        </>
      ),
    ],
  ];
}

/** A batch does not get on while no target of its model works. */
function FailingModel({ id }: { readonly id: string }) {
  const model = useListModels().data?.find((one) => one.id === id);
  return (
    model?.status === "failing" && (
      <>
        <Badge tone="bad">no healthy target</Badge>
        <p className="small quiet">{retriedLines}</p>
      </>
    )
  );
}

/** How long it ran, or will. */
function durationOf(batch: ShownBatch): Fact[] {
  const { in_progress_at: start, completed_at: end } = batch;
  if (start !== null && end !== null) return [["Took", formatSpan(end - start)]];
  const left = secondsLeft(batch, Date.now() / 1000);
  return left === undefined
    ? []
    : [["Time left", `about ${formatSpan(Math.max(1, left))}, at the speed so far`]];
}

function usageOf({ usage, metadata }: ShownBatch): Fact[] {
  return [
    ["Tokens in", formatCount(usage.input_tokens)],
    ["Tokens out", formatCount(usage.output_tokens)],
    ...Object.entries(metadata ?? {}).map(([name, value]): Fact => [`Metadata: ${name}`, value]),
  ];
}

/** The states that the batch has been in, in their order. */
function timesOf(batch: ShownBatch): readonly Fact[] {
  const times: readonly (readonly [string, number | null])[] = [
    ["Created", batch.created_at],
    ["Running since", batch.in_progress_at],
    ["Stopping since", batch.cancelling_at],
    ["Writing results", batch.finalizing_at],
    ["Completed", batch.completed_at],
    ["Failed", batch.failed_at],
    ["Out of time", batch.expired_at],
    ["Cancelled", batch.cancelled_at],
    ["Must end by", isBatchRunning(batch) ? batch.expires_at : null],
  ];
  return times.flatMap(([word, at]): Fact[] => (at === null ? [] : [[word, formatTime(at)]]));
}
