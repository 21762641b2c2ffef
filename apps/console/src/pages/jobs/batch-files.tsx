import type { ShownBatch } from "../../operations/retrieveBatch.js";
import { useSaveFile } from "../../operations/retrieveFileContent.js";
import { Icon } from "../../parts/icons.js";
import { Fault } from "../../parts/states.js";

/** The files of a batch, to save. */
export function BatchFiles({ batch }: { readonly batch: ShownBatch }) {
  const { id, input_file_id, output_file_id, error_file_id } = batch;
  const files = [
    { kind: "input", file: input_file_id },
    { kind: "output", file: output_file_id },
    { kind: "error", file: error_file_id },
  ] as const;
  return (
    <>
      <h3>Files</h3>
      <div className="row">
        {files.map(({ kind, file }) =>
          file === null ? null : <SaveFile key={kind} batchId={id} kind={kind} file={file} />,
        )}
      </div>
    </>
  );
}

interface SaveFileProps {
  readonly batchId: string;
  readonly kind: "input" | "output" | "error";
  /** The id of the file. */
  readonly file: string;
  readonly label?: string;
}

/** A button that saves one file. */
export function SaveFile({ batchId, kind, file, label = `Save ${kind} file` }: SaveFileProps) {
  const save = useSaveFile();
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={save.isPending}
        title={file}
        onClick={() => save.mutate({ id: file, name: `${batchId}_${kind}.jsonl` })}
      >
        <Icon name="download" size={16} />
        {label}
      </button>
      {save.error !== null && <Fault error={save.error} />}
    </>
  );
}
