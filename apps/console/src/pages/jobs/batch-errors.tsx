import type { ShownBatch } from "../../operations/retrieveBatch.js";
import { useFirstLines } from "../../operations/retrieveFileContent.js";
import { formatCount } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { Fault } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { linkTo } from "../../routes/address.js";
import { SaveFile } from "./batch-files.js";
import { type ErrorLine, readErrorLines } from "./error-lines.js";
import { FaultTable } from "./fault-table.js";

/** More are in the file. */
const shownMax = 20;

interface BatchErrorsProps {
  readonly batch: ShownBatch;
  /** The page that lists the requests of its lines. */
  readonly requestsPath: string;
}

/** Why the gateway refused the file, if it did. */
export function BatchFaults({ batch: { errors } }: Pick<BatchErrorsProps, "batch">) {
  const faults = errors?.data ?? [];
  if (faults.length === 0) return null;
  return (
    <section>
      <h3>Why it failed</h3>
      <FaultTable faults={faults.slice(0, shownMax)} />
      {faults.length > shownMax && (
        <p className="quiet small">
          The first {formatCount(shownMax)} of {formatCount(faults.length)} faults.
        </p>
      )}
    </section>
  );
}

/** The first lines that failed when they ran. */
export function FailedLines({ batch, requestsPath }: BatchErrorsProps) {
  const { id, error_file_id, request_counts } = batch;
  const { data, error, refetch } = useFirstLines(error_file_id);
  const lines = data === undefined ? [] : readErrorLines(data).slice(0, shownMax);
  return (
    <>
      {lines.length > 0 && error_file_id !== null && (
        <>
          <h3>Lines that failed</h3>
          <div className="fault-lines">
            <Table
              caption="Lines that failed"
              columns={lineColumns(requestsPath)}
              rows={lines}
              rowKey={({ customId }) => customId}
            />
          </div>
          {request_counts.failed > lines.length && (
            <div className="row">
              <p className="quiet small">
                The first {formatCount(lines.length)} of {formatCount(request_counts.failed)} failed lines.
              </p>
              <SaveFile batchId={id} kind="error" file={error_file_id} label="Save all failed lines" />
            </div>
          )}
        </>
      )}
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
    </>
  );
}

/** The error is one cell, because a phone has no room for more. */
const lineColumns = (requestsPath: string): readonly Column<ErrorLine>[] => [
  { head: "custom_id", cell: ({ customId }) => customId },
  {
    head: "Error",
    cell: ({ code, message, requestId }) => (
      <>
        <Message text={message} /> <code>{code}</code>{" "}
        {requestId !== undefined && <a href={linkTo(requestsPath, { request: requestId })}>Request</a>}
      </>
    ),
  },
];
