import type { Schemas } from "../../operations/schemas.js";
import type { Tone } from "../../parts/badge.js";
import { formatAgo, formatShare, formatSpan, formatUsd } from "../../parts/format.js";
import { writeUtcMinute } from "../../parts/time-zone.js";
import { linkTo } from "../../routes/address.js";
import { comparisonLink } from "../last-comparison.js";
import { judgeComparison } from "../space-verdict.js";
import { stateWords } from "../target-state.js";

/** A problem that an operator should look at now. */
export interface Alert {
  readonly id: string;
  readonly tone: Extract<Tone, "warn" | "bad">;
  readonly text: string;
  readonly link: string;
}

/** The alerts as sentences, the worst first. */
export function describeAlerts(found: Schemas["Alerts"], nowMs: number): Alert[] {
  const alerts = [
    ...alertOfConfiguration(found),
    ...found.models.map((model) => alertOfModel(model, nowMs)),
    ...found.targets.map((target) => alertOfTarget(target, nowMs)),
    ...found.comparisons.map((comparison) => alertOfComparison(comparison, nowMs)),
    ...found.keys.flatMap(alertOfKey),
  ];
  return alerts.sort((one, other) => Number(other.tone === "bad") - Number(one.tone === "bad"));
}

function alertOfConfiguration({ configuration_refusal: refusal }: Schemas["Alerts"]): Alert[] {
  if (refusal === null) return [];
  const text = "The configuration file was changed and refused. The old one is still in force.";
  return [{ id: "configuration", tone: "bad", text, link: linkTo("/configuration") }];
}

function alertOfModel({ id, failing_since, fallback }: Schemas["FailingModel"], nowMs: number): Alert {
  const since = failing_since === null ? "" : describeSince(failing_since, nowMs);
  const instead = fallback === null ? "Its requests fail." : `${fallback} serves its requests.`;
  return {
    id: `model/${id}`,
    tone: "bad",
    text: `${id} has had no healthy target${since}. ${instead}`,
    link: linkTo("/models", { model: id }),
  };
}

function alertOfTarget(
  { upstream, model, state, serves, failing_since, last_error }: Schemas["TargetState"],
  nowMs: number,
): Alert {
  const since = failing_since === null ? "" : describeSince(failing_since, nowMs);
  const word = stateWords[state] ?? state;
  const is = since === "" ? "is" : "has been";
  const what = state === "drifted" ? drifts(since) : `${is} ${word}${since}`;
  const cause = state === "drifted" ? undefined : last_error?.message;
  return {
    id: `${upstream}/${model}/${serves.join()}`,
    tone: state === "failing" || state === "cooling" ? "warn" : "bad",
    text: `${upstream} / ${model} ${what}${cause === undefined ? "." : `: ${cause}`}`,
    link: linkTo("/upstreams", { upstream, target: model }),
  };
}

function drifts(since: string): string {
  return `returns other vectors${since === "" ? " than before" : since}`;
}

/** In UTC, as the charts below them. */
function describeSince(seconds: number, nowMs: number): string {
  return ` since ${writeUtcMinute(seconds)} (${formatSpan(nowMs / 1000 - seconds)})`;
}

function alertOfComparison(comparison: Schemas["SpaceComparison"], nowMs: number): Alert {
  const { model, compared_at, targets } = comparison;
  const cosines = targets.flatMap(({ cosine_min, image_cosine_min }) =>
    [cosine_min, image_cosine_min].filter((cosine) => cosine !== null),
  );
  const lowest = cosines.length === 0 ? "" : `, lowest cosine ${Math.min(...cosines).toFixed(2)}`;
  return {
    id: `comparison/${model}`,
    tone: "bad",
    text: `${model} has targets with different vectors (compared ${formatAgo(compared_at, nowMs)}${lowest}). ${judgeComparison(comparison).verdict}`,
    link: comparisonLink(model),
  };
}

function alertOfKey({ id, name, budget, budget_usage }: Schemas["AccessKey"]): Alert[] {
  if (budget === null || budget_usage === null) return [];
  const share = budget_usage.spent_usd / budget.usd;
  const text = `The key ${name} has used ${formatShare(share)} of ${formatUsd(budget.usd)} this ${budget.per}.`;
  return [{ id, tone: share >= 1 ? "bad" : "warn", text, link: linkTo("/keys", { key: id }) }];
}
