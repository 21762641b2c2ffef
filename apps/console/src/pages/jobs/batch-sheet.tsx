import { useCancelBatch } from "../../operations/cancelBatch.js";
import { isBatchRunning, type ShownBatch, useRetrieveBatch } from "../../operations/retrieveBatch.js";
import { useBatchCost } from "../../operations/retrieveBatchUsage.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatCount, formatTime } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { Loaded } from "../../parts/states.js";
import { linkTo } from "../../routes/address.js";
import { useSignedIn } from "../../session/session-context.js";
import { BatchErrors } from "./batch-errors.js";
import { BatchFiles } from "./batch-files.js";
import { CancelWork } from "./cancel-work.js";
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
  const cost = useBatchCost(batch);
  const isOperator = useSignedIn().session.kind === "operator";
  const requestsPath = isOperator ? "/requests" : "/key";
  const { id, status } = batch;
  return (
    <div className="stack">
      <Facts facts={[...factsOf(batch), ["Cost so far", <Money key="cost" {...cost} />]]} />
      <div className="row">
        <a href={linkTo(requestsPath, { batch: id })}>Its requests</a>
        <a href={linkTo(requestsPath, { batch: id, failed: "true" })}>Its failed requests</a>
      </div>
      <BatchFiles batch={batch} />
      <BatchErrors batch={batch} />
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
  const { id, status, endpoint, model, request_counts, usage, metadata } = batch;
  return [
    ["Id", <CopyId key="id" id={id} what="the batch" />],
    ["State", <WorkState key="state" status={status} />],
    ["Lines", <BatchProgress key="lines" batch={batch} />],
    ["Succeeded", formatCount(request_counts.completed)],
    ["Failed", formatCount(request_counts.failed)],
    ["Endpoint", endpoint],
    [
      "Model",
      model === null ? (
        <span className="quiet">{isBatchRunning(batch) ? "not read yet" : "none"}</span>
      ) : (
        <a href={linkTo("/models", { model })}>{model}</a>
      ),
    ],
    ...("key_id" in batch
      ? ([
          [
            "Key",
            <a key="key" href={linkTo("/keys", { key: batch.key_id })}>
              {batch.key_name}
            </a>,
          ],
        ] as const)
      : []),
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
    ["Cancelling", batch.cancelling_at],
    ["Finalizing", batch.finalizing_at],
    ["Completed", batch.completed_at],
    ["Failed", batch.failed_at],
    ["Expired", batch.expired_at],
    ["Cancelled", batch.cancelled_at],
    ["Window ends", isBatchRunning(batch) ? batch.expires_at : null],
  ];
  return times.flatMap(([word, at]): Fact[] => (at === null ? [] : [[word, formatTime(at)]]));
}
