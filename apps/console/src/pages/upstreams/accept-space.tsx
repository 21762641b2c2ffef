import { useState } from "react";
import { useAcceptSpace } from "../../operations/acceptSpace.js";
import type { Schemas } from "../../operations/schemas.js";
import { Dialog } from "../../parts/dialog.js";
import { SelectField } from "../../parts/fields.js";
import { Fault } from "../../parts/states.js";
import { When } from "../../parts/when.js";

type TargetState = Schemas["TargetState"];

/** The distance of a target's vectors from the recorded ones. Nothing if they are not checked or have not moved. */
export function SpaceDrift({ target: { space_check } }: { readonly target: TargetState }) {
  if (space_check === null || !space_check.drifted) return null;
  const { cosine_min, image_cosine_min, checked_at, excluded } = space_check;
  return (
    <p className="small quiet">
      Its vectors have moved: cosine {cosine_min.toFixed(3)}
      {image_cosine_min !== null && ` of texts, ${image_cosine_min.toFixed(3)} of images`},{" "}
      <When at={checked_at} />.{excluded ? " It gets no requests." : " It still gets requests."}
    </p>
  );
}

interface AcceptDialogProps {
  readonly target: TargetState;
  readonly onClose: () => void;
}

/** Asks before it accepts: every index of the model must be rebuilt. */
export function AcceptDialog({ target, onClose }: AcceptDialogProps) {
  const accept = useAcceptSpace();
  const [model, setModel] = useState(target.serves[0] ?? "");
  const run = () => accept.mutate({ model, upstream: target.upstream, target_model: target.model });
  return (
    <Dialog title={`Accept the vectors of ${target.upstream} / ${target.model}`} onClose={onClose}>
      <div className="stack">
        <p>
          The vectors of this target become those of <code>{model}</code>, as a new revision. The id of its
          vector space changes, cached vectors are not used any more, and every index of the model must be
          rebuilt. Targets that still give the old vectors are then drifted.
        </p>
        {target.serves.length > 1 && (
          <SelectField
            label="Model"
            value={model}
            options={target.serves.map((id) => ({ value: id, label: id }))}
            onChange={setModel}
          />
        )}
        {accept.error !== null && <Fault error={accept.error} />}
        {accept.data !== undefined && (
          <p role="status">
            The space of {accept.data.models.join(", ")} is now <code>{accept.data.space.id}</code>, revision{" "}
            {accept.data.space.revision}.
          </p>
        )}
      </div>
      <div className="dialog-end">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <button
          type="button"
          className="button primary"
          disabled={accept.isPending || accept.data !== undefined || model === ""}
          onClick={run}
        >
          {accept.isPending ? "Accepting…" : "Accept"}
        </button>
      </div>
    </Dialog>
  );
}
