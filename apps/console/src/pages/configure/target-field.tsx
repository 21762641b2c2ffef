import { useId, useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { useTryUpstream } from "../../operations/tryUpstream.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { Icon } from "../../parts/icons.js";
import { Fault } from "../../parts/states.js";
import type { ModelType } from "./model-choices.js";
import type { DraftTarget } from "./model-draft.js";
import { TrialResult } from "./trial.js";

interface TargetFieldProps {
  readonly target: DraftTarget;
  /** Counted from 0. */
  readonly index: number;
  readonly type: ModelType;
  readonly configuration: Pick<Schemas["Configuration"], "upstreams" | "models">;
  readonly providers: readonly Schemas["Provider"][];
  readonly faults: { readonly upstream: string | undefined; readonly model: string | undefined };
  readonly onChange: (change: Partial<DraftTarget>) => void;
  /** The width of the vectors that a trial has returned. */
  readonly onWidth: (dimensions: number) => void;
  /** Absent for the only target. */
  readonly onRemove: (() => void) | undefined;
}

/** One target: an upstream and its model, which can be tried. */
export function TargetField(props: TargetFieldProps) {
  const { target, index, type, configuration, providers, faults, onChange, onWidth, onRemove } = props;
  const { upstreams } = configuration;
  const { upstream, model } = target;
  const list = useId();
  const [listed, setListed] = useState<readonly string[]>();
  const entry = upstreams[upstream];
  const provider = providers.find(({ id }) => id === entry?.provider);
  const names = listed ?? [
    ...(provider?.example_models.embedding ?? []),
    ...(provider?.example_models.image ?? []),
  ];
  return (
    <fieldset className="group stack">
      <legend className="legend">{index === 0 ? "Target" : `Target ${index + 1}`}</legend>
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
          onChange={(value) => {
            setListed(undefined);
            onChange({ upstream: value });
          }}
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
          // Another model is another trial.
          key={`${upstream} ${model} ${type}`}
          request={{ upstream: entry, name: upstream }}
          model={model.trim()}
          type={type}
          onListed={setListed}
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

/** The names of an upstream's models that other models of the file have as targets. */
function servedNames(models: Schemas["Configuration"]["models"], upstream: string): string[] {
  return Object.values(models)
    .flatMap(({ targets }) => (Array.isArray(targets) ? (targets as Record<string, unknown>[]) : []))
    .flatMap((target) => (target.upstream === upstream ? [String(target.model)] : []));
}

interface TryTargetProps extends Pick<TargetFieldProps, "onWidth"> {
  readonly request: Omit<Schemas["TryUpstreamRequest"], "model">;
  readonly model: string;
  readonly type: ModelType;
  readonly onListed: (names: readonly string[]) => void;
}

/** Lists the models of the upstream while none is named, else calls the one that is. */
function TryTarget({ request, model, type, onListed, onWidth }: TryTargetProps) {
  const trial = useTryUpstream();
  const [isCostAccepted, setCostAccepted] = useState(false);
  const costs = model !== "" && type === "image";
  const run = () =>
    trial.mutate(
      {
        ...request,
        ...(model !== "" && { model: { type, name: model } }),
        ...(costs && { confirm_cost: true }),
      },
      {
        onSuccess: ({ models, dimensions }) => {
          if (models !== null) onListed(models);
          if (model !== "" && dimensions !== null) onWidth(dimensions);
        },
      },
    );
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
          disabled={trial.isPending || (costs && !isCostAccepted)}
          onClick={run}
        >
          {trial.isPending ? "Trying…" : model === "" ? "List its models" : "Try it"}
        </button>
        {model !== "" && type === "embedding" && <span className="small quiet">Embeds one word.</span>}
      </div>
      {trial.error !== null && <Fault error={trial.error} />}
      {trial.data !== undefined && <TrialResult trial={trial.data} />}
    </>
  );
}
