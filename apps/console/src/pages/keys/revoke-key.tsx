import { useState } from "react";
import { useRevokeKey } from "../../operations/revokeKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { Fault } from "../../parts/states.js";

interface RevokeKeyDialogProps {
  readonly accessKey: Schemas["AccessKey"];
  readonly onClose: () => void;
}

/** Revoking cannot be undone, so it asks for the name. */
export function RevokeKeyDialog({ accessKey: { id, name }, onClose }: RevokeKeyDialogProps) {
  const revoke = useRevokeKey();
  const [typed, setTyped] = useState("");
  return (
    <Dialog title={`Revoke ${name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          revoke.mutate(id, { onSuccess: onClose });
        }}
      >
        <p>Callers with this key are refused within a second. This cannot be undone.</p>
        <TextField
          label={`Type ${name} to go on`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {revoke.error !== null && <Fault error={revoke.error} />}
        <div className="dialog-end">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button danger" disabled={typed !== name || revoke.isPending}>
            Revoke for good
          </button>
        </div>
      </form>
    </Dialog>
  );
}
