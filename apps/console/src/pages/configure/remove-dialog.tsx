import { GatewayRequestError } from "@model-gateway/client";
import { useEffect } from "react";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import { Dialog } from "../../parts/dialog.js";
import { Fault, Loaded } from "../../parts/states.js";
import { canApply, ReviewedChange } from "./review-step.js";
import { useReview } from "./use-review.js";

interface RemoveDialogProps {
  /** The name of the upstream, or the id of the model. */
  readonly name: string;
  readonly kind: "upstreams" | "models";
  readonly onClose: () => void;
}

/** Shows the lines that go, and removes them. The gateway refuses if something else needs the entry. */
export function RemoveDialog({ name, kind, onClose }: RemoveDialogProps) {
  const configuration = useRetrieveConfiguration();
  const review = useReview();
  useEffect(() => {
    review.check({ [kind]: { [name]: null } });
  }, []);
  const isRemoved = review.outcome?.applied === true;
  const reviewed = configuration.data && { review, configuration: configuration.data };
  return (
    <Dialog title={`Remove ${name}`} onClose={onClose}>
      {isRemoved ? (
        <p role="status">{name} is removed.</p>
      ) : review.checkError instanceof GatewayRequestError && review.checkError.status === 400 ? (
        <div className="stack">
          <p>It is still in use. Change or remove what uses it first.</p>
          <Fault error={review.checkError} />
        </div>
      ) : (
        <Loaded query={configuration}>
          {(loaded) => <ReviewedChange review={review} configuration={loaded} />}
        </Loaded>
      )}
      <div className="dialog-end">
        <button type="button" className="button" onClick={onClose}>
          {isRemoved ? "Close" : "Cancel"}
        </button>
        {!isRemoved && reviewed !== undefined && canApply(reviewed) && (
          <button
            type="button"
            className="button danger"
            disabled={review.isApplying || review.isChecking || review.isOutdated}
            onClick={review.apply}
          >
            {review.isApplying ? "Removing…" : `Remove ${name}`}
          </button>
        )}
      </div>
    </Dialog>
  );
}
