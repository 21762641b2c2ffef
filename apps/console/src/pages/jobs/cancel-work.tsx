import { useState } from "react";
import type { useCancelBatch } from "../../operations/cancelBatch.js";
import type { useCancelJob } from "../../operations/cancelJob.js";
import { Dialog } from "../../parts/dialog.js";
import { Fault } from "../../parts/states.js";
import { useMay } from "../../session/session-context.js";

interface CancelWorkProps {
  readonly id: string;
  readonly what: "batch" | "job";
  /** A sentence about the results. */
  readonly consequence: string;
  readonly cancel: ReturnType<typeof useCancelBatch> | ReturnType<typeof useCancelJob>;
}

/** The button that cancels. It cannot be undone, so it asks first. */
export function CancelWork({ id, what, consequence, cancel }: CancelWorkProps) {
  const [isAsking, setAsking] = useState(false);
  const mayCancel = useMay("cancelJob");
  const close = () => setAsking(false);
  if (!mayCancel) return null;
  return (
    <div className="row">
      <button type="button" className="button danger" onClick={() => setAsking(true)}>
        Cancel…
      </button>
      {isAsking && (
        <Dialog title={`Cancel this ${what}?`} onClose={close}>
          <p>{consequence} This cannot be undone.</p>
          {cancel.error !== null && <Fault error={cancel.error} />}
          <div className="dialog-end">
            <button type="button" className="button" onClick={close}>
              Keep it
            </button>
            <button
              type="button"
              className="button danger"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate(id, { onSuccess: close })}
            >
              Cancel the {what}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
