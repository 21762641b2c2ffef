import { useId } from "react";
import { Icon } from "../../parts/icons.js";
import type { Setting } from "./setting-schema.js";
import { keptSecret, type Pair } from "./typed-settings.js";

interface PairsFieldProps {
  readonly setting: Setting;
  /** `keptSecret` for pairs that are set and hidden. */
  readonly value: string | readonly Pair[] | undefined;
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Names and values, such as headers, one pair a row. */
export function PairsField({ setting: { label, help, isSecret }, value, onChange }: PairsFieldProps) {
  const id = useId();
  const pairs = typeof value === "object" ? value : [];
  const change = (index: number, pair: Pair) => onChange(pairs.with(index, pair));
  return (
    <fieldset className="bare field" aria-describedby={`${id}-hint`}>
      <legend className="legend">{label} (optional)</legend>
      {pairs.map(([name, text], index) => (
        <div className="pair" key={index}>
          <input
            aria-label={`${label}: name ${index + 1}`}
            placeholder="Name"
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => change(index, [event.target.value, text])}
          />
          <input
            aria-label={`${label}: value ${index + 1}`}
            placeholder="Value"
            type={isSecret ? "password" : "text"}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => change(index, [name, event.target.value])}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove row ${index + 1} of ${label}`}
            onClick={() => onChange(pairs.toSpliced(index, 1))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div className="row">
        <button type="button" className="button" onClick={() => onChange([...pairs, ["", ""]])}>
          {value === keptSecret ? "Replace" : "Add a row"}
          <span className="visually-hidden">{` of ${label}`}</span>
        </button>
        {value === keptSecret && <span className="small quiet">{keptSecret}</span>}
      </div>
      <span className="hint" id={`${id}-hint`}>
        {help}
      </span>
    </fieldset>
  );
}
