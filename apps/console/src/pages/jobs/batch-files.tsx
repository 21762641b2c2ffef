import type { ShownBatch } from "../../operations/retrieveBatch.js";
import { useSaveFile } from "../../operations/retrieveFileContent.js";
import { Icon } from "../../parts/icons.js";
import { Fault } from "../../parts/states.js";

/** The files of a batch, to save. */
export function BatchFiles({ batch }: { readonly batch: ShownBatch }) {
  const save = useSaveFile();
  const { id, input_file_id, output_file_id, error_file_id } = batch;
  const files = [
    { kind: "input", file: input_file_id },
    { kind: "output", file: output_file_id },
    { kind: "error", file: error_file_id },
  ];
  return (
    <>
      <h3>Files</h3>
      <div className="row">
        {files.map(({ kind, file }) =>
          file === null ? null : (
            <button
              key={kind}
              type="button"
              className="button"
              disabled={save.isPending}
              title={file}
              onClick={() => save.mutate({ id: file, name: `${id}_${kind}.jsonl` })}
            >
              <Icon name="download" size={16} />
              Save {kind} file
            </button>
          ),
        )}
      </div>
      {save.error !== null && <Fault error={save.error} />}
    </>
  );
}
