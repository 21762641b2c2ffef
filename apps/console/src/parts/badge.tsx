import type { ReactNode } from "react";

export type Tone = "good" | "warn" | "bad" | "quiet";

/** A state, shown by a shape and a word besides the colour. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`badge tone-${tone}`}>
      <svg width="10" height="10" viewBox="0 0 10 10" fill="currentColor" aria-hidden="true">
        {shapes[tone]}
      </svg>
      {children}
    </span>
  );
}

const shapes: Readonly<Record<Tone, ReactNode>> = {
  good: <circle cx="5" cy="5" r="4.5" />,
  warn: <path d="M5 0.5L10 9.5H0z" />,
  bad: <rect x="0.75" y="0.75" width="8.5" height="8.5" />,
  quiet: <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.8" />,
};
