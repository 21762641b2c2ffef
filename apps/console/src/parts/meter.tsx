import type { Tone } from "./badge.js";

/** A share as a bar. The text beside it shows the figure. */
export function Meter({ share, label }: { readonly share: number; readonly label: string }) {
  const width = `${Math.min(100, Math.max(0, share * 100))}%`;
  return (
    <span className={`meter tone-${toneOf(share)}`} role="img" aria-label={label}>
      <span style={{ width }} />
    </span>
  );
}

function toneOf(share: number): Tone {
  return share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
}
