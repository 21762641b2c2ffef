import type { ReactNode } from "react";

/** A word and its value. */
export type Fact = readonly [word: string, value: ReactNode];

/** Words and their values, in two columns. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([word, value]) => (
        <div className="fact" key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
