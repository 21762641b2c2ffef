import { type BatchesQuery, useListBatches } from "../../operations/listBatches.js";
import { useListModels } from "../../operations/listModels.js";
import type { ShownBatch } from "../../operations/retrieveBatch.js";
import { plural } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import type { Column } from "../../parts/table.js";
import { When } from "../../parts/when.js";
import { useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { May, useSignedIn } from "../../session/session-context.js";
import { BatchSheet } from "./batch-sheet.js";
import { batchCommands, CreateHint } from "./create-hint.js";
import { UploadDialog } from "./upload/upload-dialog.js";
import { keyColumn } from "./work-key.js";
import { WorkPanel } from "./work-panel.js";
import { BatchProgress, batchStates, stateOptions, WorkState } from "./work-state.js";

/** The filter in the address. */
const stateFilter = "batch_state";

/** @param keyId Only batches of this key. */
export function BatchList({ keyId }: { readonly keyId?: string }) {
  const isOperator = useSignedIn().session.kind === "operator";
  const chosen = useAddress().query.get(stateFilter);
  const status = batchStates.find((one) => one === chosen);
  const query: BatchesQuery = { ...(status && { status }), ...(keyId !== undefined && { key: keyId }) };
  const batches = useListBatches(query);
  const sheet = useSheet("batch");
  const form = useSheet("create");
  const model = useListModels().data?.find(({ type }) => type === "embedding")?.id ?? "gte-small";
  return (
    <>
      <WorkPanel<ShownBatch>
        title="Batches"
        query={batches}
        columns={isOperator ? [...columns, keyColumn()] : columns}
        sheet={sheet}
        states={{ filter: stateFilter, options: stateOptions(batchStates) }}
        isFiltered={Object.keys(query).length > 0}
        action={
          <May call="createBatch">
            <a className="button primary" href={form.link("batch")}>
              Create batch
            </a>
          </May>
        }
        count={(rows) => plural(rows, "batch", "batches")}
        none={
          <CreateHint label="batches" guide="batches" code={batchCommands(model)}>
            No batches yet. A batch runs each line of a file as a request, and returns a file. Create one
            here, or with these commands.
          </CreateHint>
        }
      />
      {form.open === "batch" && <UploadDialog onClose={form.close} />}
      {sheet.open !== undefined && (
        <BatchSheet
          id={sheet.open}
          listed={batches.data?.pages.flatMap((page) => page.data).find(({ id }) => id === sheet.open)}
          onClose={sheet.close}
        />
      )}
    </>
  );
}

const columns: readonly Column<ShownBatch>[] = [
  { head: "Created", cell: ({ created_at }) => <When at={created_at} />, kind: "nowrap" },
  {
    head: "State",
    cell: ({ status, errors, request_counts }) => (
      <WorkState status={status} reason={errors?.data[0]?.code} lines={request_counts} />
    ),
  },
  { head: "Model", cell: ({ model }) => <div className="whole-name">{model ?? "–"}</div> },
  {
    head: "Cost",
    cell: ({ cost_usd, unpriced_requests }) => <Money usd={cost_usd} unpriced={unpriced_requests} />,
    kind: "number",
  },
  { head: "Lines", cell: (batch) => <BatchProgress batch={batch} />, kind: "nowrap" },
  { head: "Endpoint", cell: ({ endpoint }) => endpoint },
];
