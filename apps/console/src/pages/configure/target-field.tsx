import { useId, useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { formatCount } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Fault } from "../../parts/states.js";
import type { ModelType } from "./model-choices.js";
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
  const list = useId();
  const entry = upstreams[upstream];
  const listed = entry && trials.of({ upstream: entry, name: upstream }).data?.models;
  const provider = providers.find(({ id }) => id === entry?.provider);
  const names = listed ?? [
    ...(provider?.example_models.embedding ?? []),
    ...(provider?.example_models.image ?? []),
  ];
  return (
    <fieldset className="group stack">
      <legend className="legend">{onRemove === undefined ? "Target" : `Target ${index + 1}`}</legend>
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
          list={list}
          placeholder={names[0] ?? ""}
          value={model}
          onChange={(event) => onChange({ model: event.target.value })}
        />
        <datalist id={list}>
          {[...new Set([...names, ...servedNames(configuration.models, upstream)])].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {entry !== undefined && (
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
      {listed != null && listed.length > 0 && (
        <ListedModels
          upstream={upstream}
          names={listed}
          chosen={model.trim()}
          onChoose={(name) => onChange({ model: name })}
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

/** Of a longer list, the field finds the others. */
const shownMax = 20;

interface ListedModelsProps {
  readonly upstream: string;
  readonly names: readonly string[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** The models that the upstream has listed, as choices for the field above. */
function ListedModels({ upstream, names, chosen, onChoose }: ListedModelsProps) {
  const left = names.length - shownMax;
  return (
    <>
      <fieldset className="row bare listed" aria-label={`Models of ${upstream}`}>
        {names.slice(0, shownMax).map((name) => (
          <button
            key={name}
            type="button"
            className="button mono"
            aria-pressed={name === chosen}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {left > 0 && (
        <p className="small quiet">
          And {formatCount(left)} more: type a part of a name into “Its model” to find them.
        </p>
      )}
    </>
  );
}

/** The names of an upstream's models that other models of the file have as targets. */
function servedNames(models: Schemas["Configuration"]["models"], upstream: string): string[] {
  return Object.values(models)
    .flatMap(({ targets }) => (Array.isArray(targets) ? (targets as Record<string, unknown>[]) : []))
    .flatMap((target) => (target.upstream === upstream ? [String(target.model)] : []));
}

interface TryTargetProps extends Pick<TargetFieldProps, "onWidth" | "type" | "trials"> {
  readonly request: Omit<Schemas["TryUpstreamRequest"], "model">;
  readonly model: string;
}

/** Lists the models of the upstream while none is named, else calls the one that is. */
function TryTarget({ request, model, type, trials, onWidth }: TryTargetProps) {
  const [isCostAccepted, setCostAccepted] = useState(false);
  const costs = model !== "" && type === "image";
  const tried = { ...request, ...(model !== "" && type && { model: { type, name: model } }) };
  const isUntyped = model !== "" && type === undefined;
  const trial = trials.of(tried);
  const run = () =>
    trials.run({ ...tried, ...(costs && { confirm_cost: true }) }, ({ dimensions }) => {
      if (model !== "" && dimensions !== null) onWidth(dimensions);
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
          disabled={trial.isPending || isUntyped || (costs && !isCostAccepted)}
          onClick={run}
        >
          {trial.isPending ? "Trying…" : model === "" ? "List its models" : "Try it"}
        </button>
        {model !== "" && type === "embedding" && <span className="small quiet">Embeds one word.</span>}
        {isUntyped && <span className="small quiet">Choose its type below first.</span>}
      </div>
      {trial.error !== undefined && <Fault error={trial.error} />}
      {trial.data !== undefined && !isUntyped && <TrialResult trial={trial.data} />}
    </>
  );
}
