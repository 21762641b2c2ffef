import type { ShownBatch } from "../../operations/retrieveBatch.js";
import { useFirstLines } from "../../operations/retrieveFileContent.js";
import type { Schemas } from "../../operations/schemas.js";
import { formatCount } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { Fault } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { type ErrorLine, readErrorLines } from "./error-lines.js";

/** More are in the file. */
const shownMax = 20;

/** Why the batch failed, and the first of its lines that did. */
export function BatchErrors({ batch }: { readonly batch: ShownBatch }) {
  const { data, error, refetch } = useFirstLines(batch.error_file_id);
  const faults = batch.errors?.data ?? [];
  const lines = data === undefined ? [] : readErrorLines(data);
  return (
    <>
      {faults.length > 0 && (
        <>
          <h3>Why it failed</h3>
          <Table
            caption="Faults of the input file"
            columns={faultColumns}
            rows={faults.slice(0, shownMax).map((fault, index) => ({ ...fault, index }))}
            rowKey={({ index }) => String(index)}
          />
          <More shown={shownMax} all={faults.length} what="faults" />
        </>
      )}
      {lines.length > 0 && (
        <>
          <h3>Lines that failed</h3>
          <Table
            caption="Lines that failed"
            columns={lineColumns}
            rows={lines.slice(0, shownMax)}
            rowKey={({ customId }) => customId}
          />
          <More
            shown={Math.min(shownMax, lines.length)}
            all={batch.request_counts.failed}
            what="failed lines"
          />
        </>
      )}
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
    </>
  );
}

interface MoreProps {
  readonly shown: number;
  readonly all: number;
  readonly what: string;
}

function More({ shown, all, what }: MoreProps) {
  if (all <= shown) return null;
  return (
    <p className="quiet small">
      The first {formatCount(shown)} of {formatCount(all)} {what}.
    </p>
  );
}

const faultColumns: readonly Column<Schemas["BatchFault"] & { readonly index: number }>[] = [
  { head: "Line", cell: ({ line }) => (line === null ? "–" : formatCount(line)) },
  { head: "Fault", cell: (fault) => <Reason {...fault} /> },
];

const lineColumns: readonly Column<ErrorLine>[] = [
  { head: "custom_id", cell: ({ customId }) => customId },
  { head: "Error", cell: (line) => <Reason {...line} /> },
];

/** One cell, because a phone has no room for two. */
function Reason({ code, message }: Pick<ErrorLine, "code" | "message">) {
  return (
    <>
      <Message text={message} /> <code>{code}</code>
    </>
  );
}
