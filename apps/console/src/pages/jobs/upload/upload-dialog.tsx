import { useState } from "react";
import { UploadStoppedError, useCreateBatch } from "../../../operations/createBatch.js";
import { useListModels } from "../../../operations/listModels.js";
import { Dialog } from "../../../parts/dialog.js";
import { FileDrop } from "../../../parts/file-drop.js";
import { formatBytes, formatShare } from "../../../parts/format.js";
import { Meter } from "../../../parts/meter.js";
import { Fault } from "../../../parts/states.js";
import { changedLink, goTo, useAddress } from "../../../routes/address.js";
import { useSignedIn } from "../../../session/session-context.js";
import { expectedCost } from "./expected-cost.js";
import { FileFindings } from "./file-findings.js";
import { refusalOf } from "./refusal-of.js";
import { usePreview } from "./use-preview.js";

/** Chooses a file, shows what is in it, uploads it, and opens the batch. */
export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const address = useAddress();
  const [file, setFile] = useState<File>();
  const { found, isDone, isUnreadable } = usePreview(file);
  const models = useListModels().data;
  const { create, share, discard } = useCreateBatch();
  const choose = (chosen: File) => {
    discard();
    create.reset();
    setFile(chosen);
  };
  const close = () => {
    discard();
    onClose();
  };
  const endpoint = found?.endpoint;
  const refusals = [...(found?.models.keys() ?? [])].flatMap(
    (name) => (name === undefined ? undefined : refusalOf(name, { models, endpoint })) ?? [],
  );
  const [named, ...others] = found?.models.keys() ?? [];
  const model =
    others.length > 0 || named === undefined
      ? undefined
      : models?.find(({ id, aliases }) => id === named || aliases.includes(named));
  const hasFaults = found !== undefined && found.faultyLines + found.failingLines + refusals.length > 0;
  const start = () => {
    if (file === undefined || endpoint === undefined) return;
    create.mutate(
      { file, endpoint },
      {
        onSuccess: ({ id }) =>
          goTo(changedLink(address, { create: undefined, batch: id }), { replace: true }),
      },
    );
  };
  const isStopped = create.error instanceof UploadStoppedError;
  return (
    <Dialog title="Create batch" onClose={close} stays={create.isPending}>
      <div className="stack">
        <RunsAs />
        {create.isPending ? null : (
          <FileDrop
            label={file === undefined ? "Choose a file…" : "Another file…"}
            hint="or drop a JSONL file here"
            accept=".jsonl,.ndjson,application/jsonl,application/x-ndjson"
            onFiles={([chosen]) => choose(chosen)}
          />
        )}
        {isUnreadable && (
          <p className="notice" role="alert">
            The browser cannot read this file. It may have changed: choose it again.
          </p>
        )}
        {file !== undefined && found !== undefined && (
          <FileFindings
            file={file}
            found={found}
            isDone={isDone}
            refusals={refusals}
            cost={expectedCost(found, model)}
          />
        )}
        {file !== undefined && create.isPending && <Progress share={share} bytes={file.size} />}
        {create.error !== null && !isStopped && <Fault error={create.error} />}
        <div className="dialog-end">
          <button type="button" className="button" onClick={create.isPending ? discard : close}>
            {create.isPending ? "Stop" : "Cancel"}
          </button>
          <button
            type="button"
            className="button primary"
            disabled={!isDone || endpoint === undefined || create.isPending}
            onClick={start}
          >
            {hasFaults ? "Upload anyway" : "Upload and run"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** The key that the lines run under. */
function RunsAs() {
  const { session } = useSignedIn();
  if (session.kind === "operator")
    return (
      <p>
        Each line of the file is run as a request. You are the operator: the lines are recorded under the key{" "}
        <code>console:operator</code>, may call every model, and count for no key's limits or budget. To run a
        file for a key, sign in with that key.
      </p>
    );
  return (
    <p>
      Each line of the file is run as a request of your key, {session.name}, with its models, limits and
      budget.
    </p>
  );
}

function Progress({ share, bytes }: { readonly share: number; readonly bytes: number }) {
  return (
    <p role="status">
      {share < 1
        ? `Uploading: ${formatShare(share)} of ${formatBytes(bytes)}`
        : "The file is there. The batch is being created."}
      <Meter share={share} label="Share of the file that is sent" tone="good" />
    </p>
  );
}
