import { type KeyboardEvent, useId, useState } from "react";
import { CopyButton } from "./copy.js";

export interface Sample {
  readonly language: string;
  readonly code: string;
}

/** The same call in several languages, one at a time. */
export function CodeSamples({ samples }: { readonly samples: readonly Sample[] }) {
  const [chosen, choose] = useState(0);
  const id = useId();
  const sample = samples[chosen];
  if (sample === undefined) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (chosen + step + samples.length) % samples.length;
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div>
      <div className="tabs" role="tablist" aria-label="Language" onKeyDown={onKeyDown}>
        {samples.map(({ language }, index) => (
          <button
            key={language}
            id={`${id}-${index}`}
            type="button"
            role="tab"
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => choose(index)}
          >
            {language}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        <Code text={sample.code} label={`The ${sample.language} sample`} />
      </div>
    </div>
  );
}

/** Text in monospace with a button that copies it. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  );
}
