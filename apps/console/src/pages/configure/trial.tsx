import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";
import { formatCount, formatMs, plural } from "../../parts/format.js";
import { Message } from "../../parts/message.js";

type Trial = Schemas["UpstreamTrial"];

/** The result of a trial as a sentence. */
export function TrialResult({ trial }: { readonly trial: Trial }) {
  return (
    <div role="status" className="trial">
      <TrialBadge trial={trial} />
      <span>
        <Message text={describeTrial(trial)} />
      </span>
    </div>
  );
}

/** A warning before and after a change whose last trial failed. */
export function FailedTrial({ reason }: { readonly reason: string }) {
  return (
    <p>
      <Badge tone="warn">Its last trial failed</Badge> <Message text={reason} /> Requests will fail until it
      works.
    </p>
  );
}

function TrialBadge({ trial: { ok, models } }: { readonly trial: Trial }) {
  if (!ok) return <Badge tone="bad">It failed</Badge>;
  return models?.length === 0 ? <Badge tone="warn">It replies</Badge> : <Badge tone="good">It works</Badge>;
}

export function describeTrial({ ok, ms, models, dimensions, error }: Trial): string {
  if (!ok) return error?.message ?? "The upstream gave no valid reply.";
  if (models?.length === 0)
    return `After ${formatMs(ms)}: its list of models is empty. A model that it has can still be named.`;
  const found = models === null ? undefined : `it lists ${plural(models.length, "model")}`;
  const width = dimensions === null ? undefined : `its vectors are ${formatCount(dimensions)} wide`;
  const parts = [found, width].filter((part) => part !== undefined);
  if (parts.length === 0) return "The settings are valid. This provider has no list of models.";
  return `After ${formatMs(ms)}: ${parts.join(", and ")}.`;
}
