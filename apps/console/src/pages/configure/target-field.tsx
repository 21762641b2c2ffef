import { useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { Icon } from "../../parts/icons.js";
import { Fault } from "../../parts/states.js";
import { ListedModels, useListing } from "./listed-models.js";
import { exampleNames, type ModelType, rankNames } from "./model-choices.js";
import type { DraftTarget } from "./model-draft.js";
import { TrialResult } from "./trial.js";
import type { Trials } from "./use-trials.js";

interface TargetFieldProps {
  readonly target: DraftTarget;
  /** Counted from 0. */
  readonly index: number;
  /** Undefined while it is not chosen. */
  readonly type: ModelType | undefined;
  readonly configuration: Pick<Schemas["Configuration"], "upstreams" | "models">;
  readonly providers: readonly Schemas["Provider"][];
  readonly trials: Trials;
  readonly faults: { readonly upstream: string | undefined; readonly model: string | undefined };
  readonly onChange: (change: Partial<DraftTarget>) => void;
  /** The width of the vectors that a trial has returned. */
  readonly onWidth: (dimensions: number) => void;
  /** Absent for the only target. */
  readonly onRemove: (() => void) | undefined;
}

/** One target: an upstream and its model, which can be tried. */
export function TargetField(props: TargetFieldProps) {
  const { target, index, type, configuration, providers, trials, faults } = props;
  const { onChange, onWidth, onRemove } = props;
  const { upstreams } = configuration;
  const { upstream, model } = target;
  const entry = upstreams[upstream];
  const provider = providers.find(({ id }) => id === entry?.provider);
  const listing = useListing(trials, { upstream, entry, isWanted: model === "" });
  const names = provider === undefined ? [] : (listing.data?.models ?? exampleNames(provider));
  return (
    <fieldset className="group stack">
      <legend className="legend">{onRemove === undefined ? "Served by" : `Target ${index + 1}`}</legend>
      <div className="form-grid">
        <SelectField
          label="Upstream"
          fault={faults.upstream}
          value={upstream}
          options={[
            ...(upstream === "" || entry === undefined
              ? [{ value: upstream, label: upstream || "Choose one" }]
              : []),
            ...optionsOf(Object.keys(upstreams)),
          ]}
          onChange={(value) => onChange({ upstream: value })}
        />
        <TextField
          label="Its model"
          fault={faults.model}
          required
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          placeholder={names[0] ?? ""}
          value={model}
          onChange={(event) => onChange({ model: event.target.value })}
        />
      </div>
      {entry !== undefined && provider !== undefined && (
        <ListedModels
          upstream={upstream}
          names={rankNames(names, provider)}
          served={servedIds(configuration.models, upstream)}
          typed={model.trim()}
          listing={listing}
          onChoose={(name) => onChange({ model: name })}
        />
      )}
      {entry !== undefined && model.trim() !== "" && (
        <TryTarget
          // Another model is another cost to accept.
          key={`${upstream} ${model} ${type}`}
          trials={trials}
          request={{ upstream: entry, name: upstream }}
          model={model.trim()}
          type={type}
          onWidth={onWidth}
        />
      )}
      {onRemove !== undefined && (
        <div>
          <button type="button" className="button" onClick={onRemove}>
            <Icon name="close" size={16} />
            Remove target {index + 1}
          </button>
        </div>
      )}
    </fieldset>
  );
}

/** The first model that has each of the upstream's models as a target, by the names that these have there. */
function servedIds(
  models: Schemas["Configuration"]["models"],
  upstream: string,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [id, { targets }] of Object.entries(models))
    for (const target of Array.isArray(targets) ? (targets as Record<string, unknown>[]) : []) {
      const name = String(target.model);
      if (target.upstream === upstream && !ids.has(name)) ids.set(name, id);
    }
  return ids;
}

interface TryTargetProps extends Pick<TargetFieldProps, "onWidth" | "type" | "trials"> {
  readonly request: Omit<Schemas["TryUpstreamRequest"], "model">;
  readonly model: string;
}

/** Calls the model once. */
function TryTarget({ request, model, type, trials, onWidth }: TryTargetProps) {
  const [isCostAccepted, setCostAccepted] = useState(false);
  const costs = type === "image";
  const tried = { ...request, ...(type && { model: { type, name: model } }) };
  const trial = trials.of(tried);
  const run = () =>
    trials.run({ ...tried, ...(costs && { confirm_cost: true }) }, ({ dimensions }) => {
      if (dimensions !== null) onWidth(dimensions);
    });
  return (
    <>
      {costs && (
        <label className="check">
          <input type="checkbox" checked={isCostAccepted} onChange={() => setCostAccepted(!isCostAccepted)} />
          Create one image to try it, which may cost money
        </label>
      )}
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={trial.isPending || type === undefined || (costs && !isCostAccepted)}
          onClick={run}
        >
          {trial.isPending ? "Trying…" : "Try it"}
        </button>
        {type === "embedding" && <span className="small quiet">Embeds one word.</span>}
        {type === undefined && <span className="small quiet">Choose its type below first.</span>}
      </div>
      {trial.error !== undefined && <Fault error={trial.error} />}
      {trial.data !== undefined && type !== undefined && <TrialResult trial={trial.data} />}
    </>
  );
}
