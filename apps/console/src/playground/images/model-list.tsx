import { useRef } from "react";
import type { ShownModel } from "../../operations/listModels.js";
import { SelectField } from "../../parts/fields.js";
import { Icon } from "../../parts/icons.js";
import { modelOption } from "../model-select.js";

/** More results than this do not fit side by side. */
const modelsMax = 4;

interface ModelListProps {
  readonly models: readonly ShownModel[];
  /** At least one. */
  readonly chosen: readonly ShownModel[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** The models that get the prompt: one, or several to compare. */
export function ModelList({ models, chosen, onChange }: ModelListProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const ids = chosen.map(({ id }) => id);
  const others = models.filter(({ id }) => !ids.includes(id));
  const next = others.find(({ status }) => status !== "unavailable") ?? others[0];
  const remove = (at: number) => {
    // The button goes away with its row.
    list.current?.focus();
    onChange(ids.toSpliced(at, 1));
  };
  return (
    <fieldset className="bare compared" aria-label="Models" ref={list} tabIndex={-1}>
      {chosen.map((model, at) => (
        <div key={model.id} className={chosen.length > 1 ? "with-button" : undefined}>
          <SelectField
            label={chosen.length > 1 ? `Model ${at + 1}` : "Model"}
            value={model.id}
            options={models.filter((one) => one === model || others.includes(one)).map(modelOption)}
            onChange={(id) => onChange(ids.with(at, id))}
            {...(model.statusReason !== undefined && { hint: model.statusReason })}
          />
          {chosen.length > 1 && (
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove ${model.id}`}
              onClick={() => remove(at)}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      {models.length > 1 && (
        <button
          type="button"
          className="button"
          disabled={next === undefined || chosen.length >= modelsMax}
          onClick={() => next && onChange([...ids, next.id])}
        >
          Compare with another model
        </button>
      )}
    </fieldset>
  );
}
