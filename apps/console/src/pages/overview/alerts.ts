import type { Schemas } from "../../operations/schemas.js";
import type { Tone } from "../../parts/badge.js";
import { formatAgo, formatShare, formatSpan, formatUsd } from "../../parts/format.js";
import { linkTo } from "../../routes/address.js";
import { describeFailing, stateWords } from "../target-state.js";

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
  const since = failing_since === null ? "" : ` for ${formatSpan(nowMs / 1000 - failing_since)}`;
  const instead = fallback === null ? "Its requests fail." : `${fallback} serves its requests.`;
  return {
    id: `model/${id}`,
    tone: "bad",
    text: `${id} has had no healthy target${since}. ${instead}`,
    link: linkTo("/models", { model: id }),
  };
}

function alertOfTarget(target: Schemas["TargetState"], nowMs: number): Alert {
  const { upstream, model, state, serves, last_error } = target;
  const failing = describeFailing(target, nowMs);
  const served = serves.length === 0 ? "" : ` (it serves ${serves.join(", ")})`;
  const cause = state === "drifted" ? ": its vectors have changed" : causeOf(last_error, nowMs);
  return {
    id: `${upstream}/${model}/${serves.join()}`,
    tone: state === "failing" || state === "cooling" ? "warn" : "bad",
    text: `${upstream} / ${model} is ${stateWords[state] ?? state}${failing === undefined ? "" : ` ${failing}`}${served}${cause}`,
    link: linkTo("/upstreams", { upstream }),
  };
}

function causeOf(last_error: Schemas["TargetState"]["last_error"], nowMs: number): string {
  return last_error === null ? "" : `: ${last_error.message} (${formatAgo(last_error.at, nowMs)})`;
}

function alertOfKey({ id, name, budget, budget_usage }: Schemas["AccessKey"]): Alert[] {
  if (budget === null || budget_usage === null) return [];
  const share = budget_usage.spent_usd / budget.usd;
  const text = `The key ${name} has used ${formatShare(share)} of ${formatUsd(budget.usd)} this ${budget.per}.`;
  return [{ id, tone: share >= 1 ? "bad" : "warn", text, link: linkTo("/keys", { key: id }) }];
}
