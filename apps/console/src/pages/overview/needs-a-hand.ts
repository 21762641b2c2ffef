import type { Schemas } from "../../operations/schemas.js";
import type { Tone } from "../../parts/badge.js";
import { formatAgo, formatShare, formatUsd } from "../../parts/format.js";
import { linkTo } from "../../routes/address.js";

/** Something that an operator should look at now. */
export interface Concern {
  readonly id: string;
  readonly tone: Extract<Tone, "warn" | "bad">;
  readonly text: string;
  readonly link: string;
}

/** What needs a hand, as sentences; what is worst comes first. */
export function describeConcerns(found: Schemas["Concerns"], nowMs: number): Concern[] {
  const concerns = [
    ...concernOfConfiguration(found),
    ...found.targets.map((target) => concernOfTarget(target, nowMs)),
    ...found.keys.flatMap(concernOfKey),
  ];
  return concerns.sort((one, other) => Number(other.tone === "bad") - Number(one.tone === "bad"));
}

function concernOfConfiguration({ configuration_refusal: refusal }: Schemas["Concerns"]): Concern[] {
  if (refusal === null) return [];
  const text = "The configuration file was changed and refused. The old one is still in force.";
  return [{ id: "configuration", tone: "bad", text, link: linkTo("/configuration") }];
}

function concernOfTarget(target: Schemas["TargetState"], nowMs: number): Concern {
  const { upstream, model, state, serves, last_error } = target;
  const served = serves.length === 0 ? "" : `, for ${serves.join(", ")}`;
  const cause = state === "drifted" ? ": its vectors have changed" : causeOf(last_error, nowMs);
  return {
    id: `${upstream}/${model}/${serves.join()}`,
    tone: state === "open" || state === "misconfigured" || state === "drifted" ? "bad" : "warn",
    text: `${upstream} / ${model} is ${state}${served}${cause}`,
    link: linkTo("/upstreams"),
  };
}

function causeOf(last_error: Schemas["TargetState"]["last_error"], nowMs: number): string {
  return last_error === null ? "" : `: ${last_error.message} (${formatAgo(last_error.at, nowMs)})`;
}

function concernOfKey({ id, name, budget, budget_usage }: Schemas["AccessKey"]): Concern[] {
  if (budget === null || budget_usage === null) return [];
  const share = budget_usage.spent_usd / budget.usd;
  const text = `The key ${name} has used ${formatShare(share)} of ${formatUsd(budget.usd)} this ${budget.per}.`;
  return [{ id, tone: share >= 1 ? "bad" : "warn", text, link: linkTo("/keys", { search: name }) }];
}
