import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";
import { formatCount, formatMs, plural } from "../../parts/format.js";

type Trial = Schemas["UpstreamTrial"];

/** The result of a trial as a sentence. */
export function TrialResult({ trial }: { readonly trial: Trial }) {
  return (
    <div role="status" className="trial">
      <Badge tone={trial.ok ? "good" : "bad"}>{trial.ok ? "It works" : "It failed"}</Badge>
      <span>{describeTrial(trial)}</span>
    </div>
  );
}

export function describeTrial({ ok, ms, models, dimensions, error }: Trial): string {
  if (!ok) return error?.message ?? "The upstream gave no valid reply.";
  const found = models === null ? undefined : `it lists ${plural(models.length, "model")}`;
  const width = dimensions === null ? undefined : `its vectors are ${formatCount(dimensions)} wide`;
  const parts = [found, width].filter((part) => part !== undefined);
  if (parts.length === 0) return "The settings are valid. This provider has no list of models.";
  return `After ${formatMs(ms)}: ${parts.join(", and ")}.`;
}
