import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { useTryUpstream } from "../../operations/tryUpstream.js";
import { TextField } from "../../parts/fields.js";
import { Fault } from "../../parts/states.js";
import { presetOf } from "./presets.js";
import { SettingFields, type SettingFieldsProps } from "./setting-field.js";
import { splitSettings } from "./setting-schema.js";
import { TrialResult } from "./trial.js";
import { isSet } from "./typed-settings.js";
import type { UpstreamForm } from "./upstream-draft.js";

interface SettingsStepProps extends Pick<SettingFieldsProps, "faults" | "onChange"> {
  readonly form: UpstreamForm;
  /** Absent if the name is settled. */
  readonly onRename: ((name: string) => void) | undefined;
}

/** The name and the settings of an upstream: those that it needs, and the others in a fold. */
export function SettingsStep({ form, faults, onChange, onRename }: SettingsStepProps) {
  const { provider, settings, typed, name } = form;
  const { first, more } = splitSettings(settings);
  const [variable] = (presetOf(provider.presets, typed) ?? provider).environment_variables;
  const secretHint =
    variable === undefined ? undefined : `Or \${${variable}}, to take it from the gateway's environment.`;
  const shown = { typed, faults, onChange, secretHint };
  const setCount = more.filter((setting) => isSet(setting, typed)).length;
  // Decided once: the fold must not close over a field that is cleared.
  const [isOpen] = useState(setCount > 0);
  return (
    <>
      {onRename !== undefined && (
        <TextField
          label="Name"
          hint="Models, requests and usage name the upstream by this."
          fault={faults.name}
          required
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={(event) => onRename(event.target.value)}
        />
      )}
      <SettingFields settings={first} {...shown} />
      {more.length > 0 && (
        <details className="more" open={isOpen}>
          <summary>More settings{setCount > 0 && ` (${setCount} set)`}</summary>
          <div className="stack">
            <SettingFields settings={more} {...shown} />
          </div>
        </details>
      )}
    </>
  );
}

type Trial = Schemas["UpstreamTrial"];

export interface UpstreamTrial
  extends Pick<UseMutationResult<Trial>, "data" | "error" | "isPending" | "reset"> {
  run(request: Schemas["TryUpstreamRequest"], provider: Schemas["Provider"]): void;
  /** Lists the models without a call to one. An upstream without a list counts as not tried. */
  list(request: Schemas["TryUpstreamRequest"]): void;
}

/** Lists the models of an upstream. Where a provider has no list, one word is embedded. An image is never created. */
export function useUpstreamTrial(onRefused: (error: Error) => void): UpstreamTrial {
  const trial = useTryUpstream();
  return {
    ...trial,
    run: (request, { example_models: { embedding } }) => {
      const [name] = embedding;
      trial.mutate(request, {
        onError: onRefused,
        onSuccess: ({ ok, models }) => {
          if (ok && models === null && name !== undefined)
            trial.mutate({ ...request, model: { type: "embedding", name } }, { onError: onRefused });
        },
      });
    },
    list: (request) =>
      trial.mutate(
        { ...request, list_only: true },
        { onSuccess: ({ ok, models }) => ok && models === null && trial.reset() },
      ),
  };
}

interface TryRowProps {
  readonly trial: Pick<UpstreamTrial, "data" | "error" | "isPending">;
  readonly onTry: () => void;
  /** Whether the error is shown at its field. */
  readonly isErrorShown: boolean;
}

export function TryRow({ trial, onTry, isErrorShown }: TryRowProps) {
  return (
    <div className="stack">
      <div className="row">
        <button type="button" className="button" disabled={trial.isPending} onClick={onTry}>
          {trial.isPending ? "Trying…" : "Try it"}
        </button>
        <span className="small quiet">Lists its models, or embeds one word. It creates no image.</span>
      </div>
      {trial.error !== null && !isErrorShown && <Fault error={trial.error} />}
      {trial.data !== undefined && !trial.isPending && <TrialResult trial={trial.data} />}
    </div>
  );
}
