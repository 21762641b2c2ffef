import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { formatTimeLeft, formatUsd, plural } from "../../parts/format.js";
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

/** The last letters of a key's secrets, and until when earlier ones work. */
export function Secrets({ accessKey: { redacted_value, old_secrets } }: { readonly accessKey: AccessKey }) {
  return (
    <>
      <span className="mono">{redacted_value ?? "–"}</span>
      {old_secrets.map((secret) => (
        <div className="small quiet" key={secret.redacted_value}>
          <span className="mono">{secret.redacted_value}</span> for{" "}
          {formatTimeLeft(secret.expires_at, Date.now())}
        </div>
      ))}
    </>
  );
}

/** Spending of a key, with its budget if it has one, and the requests that neither of them counts. */
export function Spent({ accessKey }: { readonly accessKey: AccessKey }) {
  const { budget, budget_usage, spent_usd, unpriced_requests } = accessKey;
  const unpriced = unpriced_requests > 0 && (
    <div className="small quiet">and {plural(unpriced_requests, "request")} without a price</div>
  );
  if (budget === null || budget_usage === null)
    return (
      <>
        {formatUsd(spent_usd)} this month
        {unpriced}
      </>
    );
  const text = `${formatUsd(budget_usage.spent_usd)} of ${formatUsd(budget.usd)} a ${budget.per}`;
  return (
    <>
      {text}
      <Meter share={budget_usage.spent_usd / budget.usd} label={text} />
      {unpriced}
    </>
  );
}
