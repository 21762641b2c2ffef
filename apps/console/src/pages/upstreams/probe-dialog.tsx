import { type ShownModel, useListModels } from "../../operations/listModels.js";
import { useProbeTarget } from "../../operations/probeTarget.js";
import type { Schemas } from "../../operations/schemas.js";
import { Dialog } from "../../parts/dialog.js";
import { formatMs, formatUsd } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { Fault } from "../../parts/states.js";
import { TargetStateBadge } from "../target-state.js";

const costs: Readonly<Record<ShownModel["type"], string>> = {
  embedding: "It embeds one word.",
  image: "It creates one image, which may cost money.",
};

interface ProbeDialogProps {
  readonly target: Schemas["TargetState"];
  readonly onClose: () => void;
}

/** Asks before it calls: an image costs money. */
export function ProbeDialog({ target, onClose }: ProbeDialogProps) {
  const probe = useProbeTarget();
  const models = useListModels().data ?? [];
  const [model = ""] = target.serves;
  const run = () =>
    probe.mutate({ model, upstream: target.upstream, target_model: target.model, confirm_cost: true });
  return (
    <Dialog title={`Try ${target.upstream} / ${target.model}`} onClose={onClose}>
      <div className="stack">
        <p>
          The gateway sends one small request for <code>{model}</code> to this target and no other.{" "}
          {costs[models.find(({ id }) => id === model)?.type ?? "image"]} If it succeeds, the target gets
          requests again.
        </p>
        {probe.error !== null && <Fault error={probe.error} />}
        {probe.data !== undefined && (
          <div role="status">
            <TargetStateBadge target={probe.data} />
            <p>
              {probe.data.ok ? (
                `It replied in ${formatMs(probe.data.ms)}.`
              ) : (
                <Message
                  text={`It failed after ${formatMs(probe.data.ms)}: ${probe.data.error?.message ?? ""}`}
                />
              )}
              {describeCost(probe.data)}
            </p>
          </div>
        )}
      </div>
      <div className="dialog-end">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <button
          type="button"
          className="button primary"
          disabled={probe.isPending || model === ""}
          onClick={run}
        >
          {probe.isPending ? "Trying…" : "Try now"}
        </button>
      </div>
    </Dialog>
  );
}

/** A failure that cost nothing needs no second sentence. */
function describeCost({ ok, cost_usd }: Schemas["Probe"]): string {
  return cost_usd === null || (!ok && cost_usd === 0) ? "" : ` It cost ${formatUsd(cost_usd)}.`;
}
