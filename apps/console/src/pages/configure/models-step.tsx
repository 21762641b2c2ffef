import { useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { TextField } from "../../parts/fields.js";
import { Empty, Fault } from "../../parts/states.js";
import { modelKinds } from "../models/model-kinds.js";
import {
  type ChoiceField,
  faultName,
  type ModelChoice,
  type ModelType,
  type OfferedModel,
} from "./model-choices.js";
import { IdField, InputTypeField, PriceField } from "./model-inputs.js";
import { TrialResult } from "./trial.js";
import { TypeField } from "./type-field.js";
import type { Faults } from "./use-faults.js";
import type { Trials } from "./use-trials.js";

/** More rows than this are found by the search. */
const rowsMax = 40;

interface ModelsStepProps {
  readonly offered: readonly OfferedModel[];
  /** The result of the trial, if there was one. */
  readonly trial: Pick<Schemas["UpstreamTrial"], "ok" | "models"> | undefined;
  /** Whether the list of models is on its way. */
  readonly isListing: boolean;
  readonly modelTypes: readonly ModelType[];
  /** The trial of the upstream, to which a model is added. */
  readonly trialOf: Omit<Schemas["TryUpstreamRequest"], "model">;
  /** The trials of single models. */
  readonly trials: Trials;
  readonly faults: Faults;
  readonly onChange: (name: string, change: Partial<ModelChoice>) => void;
}

/** The models of an upstream to tick. Each ticked one has an id, which callers use. */
export function ModelsStep({ offered, trial, isListing, faults, onChange, ...row }: ModelsStepProps) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const fitting = offered.filter(({ name, isTicked }) => isTicked || name.toLowerCase().includes(wanted));
  return (
    <>
      {offered.length > 8 && (
        <TextField
          label="Find a model"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {fitting.length === 0 ? (
        <Empty>{emptyList({ offered, trial, isListing })}</Empty>
      ) : (
        <ul className="model-rows">
          {fitting.slice(0, rowsMax).map((model) => (
            <li key={model.name}>
              <ModelRow
                model={model}
                faults={{
                  id: faults[faultName(model.name)],
                  type: faults[faultName(model.name, "type")],
                  price: faults[faultName(model.name, "price")],
                  inputType: faults[faultName(model.name, "inputType")],
                }}
                onChange={(change) => onChange(model.name, change)}
                {...row}
              />
            </li>
          ))}
        </ul>
      )}
      {fitting.length > rowsMax && (
        <p className="quiet">
          The first {rowsMax} of {fitting.length} models. Search to find the others.
        </p>
      )}
      <AnotherModel onAdd={(name) => onChange(name, { isTicked: true })} />
    </>
  );
}

function emptyList({
  offered,
  trial,
  isListing,
}: Pick<ModelsStepProps, "offered" | "trial" | "isListing">): string {
  if (offered.length > 0) return "No model fits.";
  return isListing ? "Listing its models…" : `${whyNone(trial)} Name one below.`;
}

function whyNone(trial: ModelsStepProps["trial"]): string {
  if (trial === undefined) return "The upstream was not tried, so its models are not known.";
  if (!trial.ok) return "The trial failed, so the models of the upstream are not known.";
  return trial.models === null ? "The upstream has no list of models." : "The upstream lists no model.";
}

interface ModelRowProps extends Pick<ModelsStepProps, "modelTypes" | "trialOf" | "trials"> {
  readonly model: OfferedModel;
  readonly faults: Readonly<Record<ChoiceField, string | undefined>>;
  readonly onChange: (change: Partial<ModelChoice>) => void;
}

function ModelRow({ model, modelTypes, trialOf, trials, faults, onChange }: ModelRowProps) {
  const { name, isTicked, id, type, isTypeKnown, isTypeGuessed, price, inputType } = model;
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={isTicked} onChange={() => onChange({ isTicked: !isTicked })} />
        <span className="mono">{name}</span>
        <span className="small quiet">{isTypeKnown && type && modelKinds[type].name}</span>
      </label>
      {isTicked && (
        <div className="stack model-row">
          <div className="form-grid">
            <IdField value={id} fault={faults.id} onChange={(value) => onChange({ id: value })} />
            {!isTypeKnown && (
              <TypeField
                type={type}
                isKnown={false}
                isGuessed={isTypeGuessed}
                choices={modelTypes}
                fault={faults.type}
                onChange={(chosen) => onChange({ type: chosen })}
              />
            )}
            <PriceField
              type={type}
              value={price}
              fault={faults.price}
              onChange={(value) => onChange({ price: value })}
            />
            {type === "embedding" && (
              <InputTypeField
                value={inputType}
                fault={faults.inputType}
                onChange={(value) => onChange({ inputType: value })}
              />
            )}
          </div>
          {type === "embedding" && (
            <TryModel name={name} trialOf={trialOf} trials={trials} onChange={onChange} />
          )}
        </div>
      )}
    </>
  );
}

/** Embeds one word. Images are not tried here, because each costs money. */
function TryModel({
  name,
  trialOf,
  trials,
  onChange,
}: Pick<ModelRowProps, "trialOf" | "trials" | "onChange"> & { name: string }) {
  const request = { ...trialOf, model: { type: "embedding" as const, name } };
  const trial = trials.of(request);
  const run = () => trials.run(request, ({ dimensions }) => dimensions !== null && onChange({ dimensions }));
  return (
    <>
      <div className="row">
        <button type="button" className="button" disabled={trial.isPending} onClick={run}>
          {trial.isPending ? "Trying…" : "Try it"}
          <span className="visually-hidden">{` ${name}`}</span>
        </button>
        <span className="small quiet">Embeds one word.</span>
      </div>
      {trial.error !== undefined && <Fault error={trial.error} />}
      {trial.data !== undefined && <TrialResult trial={trial.data} />}
    </>
  );
}

function AnotherModel({ onAdd }: { readonly onAdd: (name: string) => void }) {
  const [name, setName] = useState("");
  const add = () => {
    if (name.trim() === "") return;
    onAdd(name.trim());
    setName("");
  };
  return (
    <div className="with-button">
      <TextField
        label="Another model, by its name at the upstream"
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
        // A name that was typed is not lost by a click on Review.
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || name.trim() === "") return;
          // Enter would send the form.
          event.preventDefault();
          add();
        }}
      />
      <button type="button" className="button" disabled={name.trim() === ""} onClick={add}>
        Add
      </button>
    </div>
  );
}
