import { useId, useState } from "react";
import { type ShownModel, useListModels } from "../../operations/listModels.js";
import { TextField } from "../../parts/fields.js";
import { plural } from "../../parts/format.js";
import type { KeyDraft } from "./key-draft.js";
import { modelsOf } from "./key-draft.js";
import { allowedModels, matchModels, readPatterns } from "./match-models.js";

interface ModelsFieldProps {
  readonly draft: KeyDraft;
  /** Why the choice cannot be sent. */
  readonly fault: string | undefined;
  readonly onChange: (change: Partial<KeyDraft>) => void;
}

/** More boxes than this make the dialog slow; the filter finds the rest. */
const shownMax = 100;

/** The models that a key may call: all, or some of the list, or those that fit a pattern. */
export function ModelsField({ draft, fault, onChange }: ModelsFieldProps) {
  const name = useId();
  const models = useListModels().data ?? [];
  const count = allowedModels(modelsOf(draft), models).length;
  return (
    <fieldset className="group stack">
      <legend className="legend">Models</legend>
      <div className="row">
        {[false, true].map((isRestricted) => (
          <label className="check" key={String(isRestricted)}>
            <input
              type="radio"
              name={name}
              checked={draft.isRestricted === isRestricted}
              onChange={() => onChange({ isRestricted })}
            />
            {isRestricted ? "Only some" : "All models"}
          </label>
        ))}
      </div>
      {draft.isRestricted && <Choices models={models} draft={draft} onChange={onChange} />}
      {fault !== undefined && (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      )}
      <p className="small quiet" role="status">
        May call {count} of {plural(models.length, "model")}
        {draft.isRestricted ? "." : ", and those that are added later."}
      </p>
    </fieldset>
  );
}

function Choices({
  models,
  draft: { chosen, patterns },
  onChange,
}: Omit<ModelsFieldProps, "fault"> & { readonly models: readonly ShownModel[] }) {
  const [filter, setFilter] = useState("");
  const fitting = models.filter(({ id }) => id.toLowerCase().includes(filter.trim().toLowerCase()));
  const toggle = (id: string) =>
    onChange({ chosen: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  return (
    <>
      {models.length > 8 && (
        <TextField
          label="Find a model"
          type="search"
          autoComplete="off"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section className="model-ticks" tabIndex={0} aria-label="Models to choose">
        {fitting.slice(0, shownMax).map(({ id }) => (
          <label className="check" key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span className="mono">{id}</span>
          </label>
        ))}
        {fitting.length === 0 && <p className="quiet">No model fits.</p>}
        {fitting.length > shownMax && (
          <p className="quiet">
            The first {shownMax} of {fitting.length}. Find the others by name.
          </p>
        )}
      </section>
      <TextField
        label="Patterns"
        autoComplete="off"
        placeholder="team-a/*"
        value={patterns}
        onChange={(event) => onChange({ patterns: event.target.value })}
        hint={describePatterns(patterns, models)}
      />
    </>
  );
}

/** The number of models that each pattern fits now: "gpt-image-* matches 2 models". */
function describePatterns(text: string, models: readonly ShownModel[]): string {
  const patterns = readPatterns(text);
  if (patterns.length === 0) return "Ids with a * for any characters, separated by commas.";
  return `${patterns
    .map((pattern) => `${pattern} matches ${plural(matchModels([pattern], models).length, "model")}`)
    .join("; ")}.`;
}
