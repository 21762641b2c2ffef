import { useState } from "react";
import type { useRotateKey } from "../../operations/rotateKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { Dialog } from "../../parts/dialog.js";
import { SelectField } from "../../parts/fields.js";
import { Fault } from "../../parts/states.js";

const overlaps = [
  { value: "86400", label: "for 24 hours" },
  { value: "3600", label: "for an hour" },
  { value: "604800", label: "for 7 days" },
  { value: "2592000", label: "for 30 days" },
  { value: "0", label: "no longer: it has leaked" },
];

interface RotateKeyDialogProps {
  readonly accessKey: Schemas["AccessKey"];
  readonly rotate: ReturnType<typeof useRotateKey>;
  readonly onClose: () => void;
}

/** Gives a key a new secret. The page then shows it once. */
export function RotateKeyDialog({ accessKey, rotate, onClose }: RotateKeyDialogProps) {
  const { id, name, redacted_value } = accessKey;
  const [overlap, setOverlap] = useState("86400");
  return (
    <Dialog title={`Rotate ${name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate({ key: id, body: { overlap_seconds: Number(overlap) } }, { onSuccess: onClose });
        }}
      >
        <p>The key gets a new secret, and keeps its usage, limits and budget.</p>
        <SelectField
          label={`The secret ${redacted_value} works on`}
          value={overlap}
          options={overlaps}
          onChange={setOverlap}
          hint={
            overlap === "0"
              ? "Callers with it are refused within a second."
              : "Both secrets work meanwhile, so that callers can change over."
          }
        />
        {rotate.error !== null && <Fault error={rotate.error} />}
        <div className="dialog-end">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={rotate.isPending}>
            {rotate.isPending ? "Rotating…" : "Rotate key"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
