import { formatUsd, plural } from "./format.js";

interface MoneyProps {
  /** `null` if it is not known. */
  readonly usd: number | null | undefined;
  /** Requests whose cost is not in the amount. */
  readonly unpriced?: number;
}

/** An amount in US dollars. An unknown amount is never shown as 0. */
export function Money({ usd, unpriced = 0 }: MoneyProps) {
  if (usd === null || usd === undefined) return <span className="quiet">not known</span>;
  if (unpriced === 0) return <>{formatUsd(usd)}</>;
  return (
    <>
      {formatUsd(usd)} <span className="quiet">and {plural(unpriced, "request")} without a price</span>
    </>
  );
}
