import { formatCount, formatUsd, plural } from "./format.js";

interface MoneyProps {
  /** `null` if it is not known. */
  readonly usd: number | null | undefined;
  /** Requests whose cost is not in the amount. */
  readonly unpriced?: number;
}

/** An amount in US dollars. An unknown amount is never shown as 0. */
export function Money({ usd, unpriced = 0 }: MoneyProps) {
  const isKnown = usd !== null && usd !== undefined;
  if (unpriced === 0) return isKnown ? formatUsd(usd) : <span className="quiet">not known</span>;
  return (
    <>
      {isKnown && `${formatUsd(usd)} + `}
      <span className="quiet" title={`${plural(unpriced, "request")} without a price`}>
        {formatCount(unpriced)} unpriced
      </span>
    </>
  );
}
