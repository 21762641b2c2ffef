import type { Schemas } from "../../operations/schemas.js";
import type { useProbeVectors } from "../../operations/tryUpstream.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import type { ModelType } from "./model-choices.js";
import { type DraftTarget, emptyTarget, type ModelDraft, type ModelForm } from "./model-draft.js";
import { IdField, InputTypeField, PriceField } from "./model-inputs.js";
import { TargetField } from "./target-field.js";
import { hasNamedSpace, suggestSpace } from "./target-space.js";
import { TargetSpaces } from "./target-spaces.js";
import { TypeField } from "./type-field.js";
import type { Faults, FaultsOfForm } from "./use-faults.js";
import type { Trials } from "./use-trials.js";

/** The part of the form's state that its fields read and change. */
export interface ModelFieldsState {
  /** The id of the model to change; undefined for a new one. */
  readonly changed: string | undefined;
  readonly modelTypes: readonly ModelType[];
  readonly trials: Trials;
  /** The comparison of the targets. */
  readonly probe: ReturnType<typeof useProbeVectors>;
  readonly faults: Pick<FaultsOfForm, "faults">;
  /** @param field The field whose fault is mended. */
  edit(change: Partial<ModelDraft>, field: string): void;
  /** Fills in the width that a trial has found, unless one is typed. */
  fillDimensions(width: number): void;
}

interface ModelFieldsProps {
  readonly state: ModelFieldsState;
  readonly form: ModelForm;
  readonly configuration: Schemas["Configuration"];
  readonly providers: readonly Schemas["Provider"][];
}

/** The targets of a model, its id, its type, its width, its price and its fallback. */
export function ModelFields({ state, form, configuration, providers }: ModelFieldsProps) {
  const { changed, edit, modelTypes } = state;
  const { faults } = state.faults;
  const { id, type, isTypeKnown, isTypeGuessed, fallback, space, targets } = form;
  const present = changed === undefined ? undefined : configuration.models[changed];
  // A new model most often has one target, and then the question of a second comes last.
  const isPlain = changed === undefined && targets.length === 1;
  const addition = (
    <div>
      <button
        type="button"
        className="button"
        onClick={() => edit({ targets: [...targets, emptyTarget] }, "")}
      >
        Add a target
      </button>
      <p className="small quiet">With several targets, the model survives the failure of one.</p>
    </div>
  );
  const setTarget = (index: number, change: Partial<DraftTarget>) => {
    const old = targets[index];
    if (old === undefined) return;
    const field = `${change.model === undefined ? "upstream" : "model"} ${index}`;
    edit({ targets: targets.with(index, { ...old, ...change }) }, field);
  };
  return (
    <>
      {targets.map((target, index) => (
        <TargetField
          key={index}
          target={target}
          index={index}
          type={type}
          configuration={configuration}
          providers={providers}
          trials={state.trials}
          faults={{ upstream: faults[`upstream ${index}`], model: faults[`model ${index}`] }}
          onChange={(change) => setTarget(index, change)}
          onWidth={state.fillDimensions}
          onRemove={targets.length > 1 ? () => edit({ targets: targets.toSpliced(index, 1) }, "") : undefined}
        />
      ))}
      {!isPlain && addition}
      {type === "embedding" && (targets.length > 1 || hasNamedSpace(targets)) && (
        <TargetSpaces
          targets={targets}
          space={space}
          suggested={suggestSpace(targets, present)}
          present={present}
          upstreams={configuration.upstreams}
          probe={state.probe}
          fault={faults.space}
          onChange={(value) => edit({ space: value }, "space")}
        />
      )}
      {changed === undefined && (
        <IdField value={id} fault={faults.id} onChange={(value) => edit({ id: value }, "id")} />
      )}
      <div className="form-grid">
        <TypeField
          type={type}
          isKnown={isTypeKnown}
          isGuessed={isTypeGuessed}
          choices={modelTypes}
          fault={faults.type}
          onChange={(chosen) => edit({ type: chosen }, "type")}
        />
        <NumberFields form={form} faults={faults} edit={edit} />
        {type === "embedding" && (
          <InputTypeField
            value={form.inputType}
            fault={faults.inputType}
            onChange={(value) => edit({ inputType: value }, "inputType")}
          />
        )}
        {type === "image" && (
          <SelectField
            label="Fallback (optional)"
            hint="Another image model, which serves while no target of this one works."
            fault={faults.fallback}
            value={fallback}
            options={[
              { value: "", label: "None" },
              ...optionsOf(fallbacksFor(id, fallback, configuration.models)),
            ]}
            onChange={(value) => edit({ fallback: value }, "fallback")}
          />
        )}
      </div>
      {isPlain && addition}
    </>
  );
}

/** The other image models of the file, and the present fallback, which may be elsewhere. */
function fallbacksFor(id: string, present: string, models: Schemas["Configuration"]["models"]): string[] {
  const images = Object.keys(models).filter(
    (other) => other !== id && !other.includes("*") && models[other]?.type === "image",
  );
  return [...new Set([...(present === "" ? [] : [present]), ...images])];
}

interface NumberFieldsProps extends Pick<ModelFieldsState, "edit"> {
  readonly form: ModelForm;
  readonly faults: Faults;
}

function NumberFields({ form: { type, dimensions, price, targets }, faults, edit }: NumberFieldsProps) {
  const canBeTried = targets.some(({ upstream, model }) => upstream !== "" && model.trim() !== "");
  return (
    <>
      {type === "embedding" && (
        <TextField
          label="Dimensions (optional)"
          hint={`The width of its vectors. Replies of another width are refused.${canBeTried ? " “Try it” above fills this in." : ""}`}
          fault={faults.dimensions}
          inputMode="numeric"
          autoComplete="off"
          value={dimensions}
          onChange={(event) => edit({ dimensions: event.target.value }, "dimensions")}
        />
      )}
      {price === undefined ? (
        <p className="small quiet">Its price has several parts. Change it in the file.</p>
      ) : (
        <PriceField
          type={type}
          {...(targets.length > 1 && { hint: "At targets without their own price." })}
          value={price}
          fault={faults.price}
          onChange={(value) => edit({ price: value }, "price")}
        />
      )}
    </>
  );
}
