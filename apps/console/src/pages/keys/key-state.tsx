import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { formatUsd } from "../../parts/format.js";
import { Meter } from "../../parts/meter.js";

type AccessKey = Schemas["AccessKey"];

const tones: Readonly<Record<string, Tone>> = {
  active: "good",
  disabled: "warn",
  expired: "warn",
  revoked: "quiet",
};

export function KeyStatusBadge({ status }: { readonly status: AccessKey["status"] }) {
  return <Badge tone={tones[status] ?? "quiet"}>{status}</Badge>;
}

/** Spending of a key, with its budget if it has one. */
export function Spent({ accessKey: { budget, budget_usage, spent_usd } }: { readonly accessKey: AccessKey }) {
  if (budget === null || budget_usage === null) return <>{formatUsd(spent_usd)} this month</>;
  const text = `${formatUsd(budget_usage.spent_usd)} of ${formatUsd(budget.usd)} a ${budget.per}`;
  return (
    <>
      {text}
      <Meter share={budget_usage.spent_usd / budget.usd} label={text} />
    </>
  );
}
