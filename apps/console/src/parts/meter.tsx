import type { Tone } from "./badge.js";

interface MeterProps {
  readonly share: number;
  readonly label: string;
  /** Without it, a bar that is nearly full is a warning, as for a budget. */
  readonly tone?: Tone;
}

/** A share as a bar. The text beside it shows the figure. */
export function Meter({ share, label, tone = toneOf(share) }: MeterProps) {
  const width = `${Math.min(100, Math.max(0, share * 100))}%`;
  return (
    <span className={`meter tone-${tone}`} role="img" aria-label={label}>
      <span style={{ width }} />
    </span>
  );
}

function toneOf(share: number): Tone {
  return share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
}
