import type { Schemas } from "../../operations/schemas.js";
import { formatCount } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { type Column, Table } from "../../parts/table.js";

type BatchFault = Schemas["BatchFault"];

interface FaultTableProps {
  readonly faults: readonly BatchFault[];
  readonly caption?: string;
}

/** Faults of an input file by line, as the gateway or the preview has found them. */
export function FaultTable({ faults, caption = "Faults of the input file" }: FaultTableProps) {
  return (
    <div className="fault-lines">
      <Table
        caption={caption}
        columns={columns}
        rows={faults.map((fault, index) => ({ ...fault, index }))}
        rowKey={({ index }) => String(index)}
      />
    </div>
  );
}

const columns: readonly Column<BatchFault & { readonly index: number }>[] = [
  { head: "Line", cell: ({ line }) => (line === null ? "–" : formatCount(line)) },
  {
    head: "Fault",
    cell: ({ code, message }) => (
      <>
        <Message text={message} /> <code>{code}</code>
      </>
    ),
  },
];
