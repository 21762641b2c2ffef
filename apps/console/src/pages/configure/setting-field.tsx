import { useId } from "react";
import { SelectField, TextArea, TextField } from "../../parts/fields.js";
import { PairsField } from "./pairs-field.js";
import type { Setting } from "./setting-schema.js";
import { keptSecret, ownVariant, type Pair, type TypedSettings, textOf } from "./typed-settings.js";
import type { Faults } from "./use-faults.js";

export interface SettingFieldsProps {
  readonly settings: readonly Setting[];
  readonly typed: TypedSettings;
  readonly faults: Faults;
  readonly onChange: (name: string, value: string | readonly Pair[]) => void;
  /** Added to the help of a secret. */
  readonly secretHint?: string | undefined;
}

/** A field for each setting. */
export function SettingFields({ settings, ...form }: SettingFieldsProps) {
  return settings.map((setting) => <SettingField key={setting.name} setting={setting} {...form} />);
}

type SettingFieldProps = Omit<SettingFieldsProps, "settings"> & { readonly setting: Setting };

function SettingField(props: SettingFieldProps) {
  const { setting, typed, faults, onChange } = props;
  const { name, label, help, kind, usual, choices, titles = {}, isRequired } = setting;
  const text = textOf(typed, name);
  const field = {
    label: isRequired ? label : `${label} (optional)`,
    hint: help,
    fault: faults[name],
  };
  if (kind === "group") return <Group {...props} />;
  if (kind === "pairs")
    return <PairsField setting={setting} value={typed[name]} onChange={(pairs) => onChange(name, pairs)} />;
  if (kind === "flag" && ["", "true", "false"].includes(text)) return <Flag {...props} />;
  if (kind === "json" || kind === "flag")
    return (
      <TextArea
        {...field}
        hint={`${help ?? ""} As JSON.`}
        value={text}
        onChange={(event) => onChange(name, event.target.value)}
      />
    );
  if (kind === "choice" || kind === "variants")
    return (
      <>
        <SelectField
          {...field}
          value={text}
          options={[
            { value: "", label: usual === undefined ? "Not set" : `Default: ${usual}` },
            ...choices.map((value) => ({ value, label: titles[value] ?? value })),
            ...(kind === "variants" ? [{ value: ownVariant, label: "Enter credentials" }] : []),
          ]}
          onChange={(value) => onChange(name, value)}
        />
        {kind === "variants" && text === ownVariant && <Group {...props} />}
      </>
    );
  return <LineField {...props} />;
}

/** Text, a number or a secret. A secret that is set is shown as such, and stays unless another is typed. */
function LineField({ setting, typed, faults, onChange, secretHint }: SettingFieldProps) {
  const { name, label, help, kind, usual, isRequired, isSecret } = setting;
  const text = textOf(typed, name);
  const isKept = isSecret && text === keptSecret;
  const hint = isKept
    ? "It stays as it is unless you type a new one."
    : [help, isSecret && !name.includes(".") && secretHint].filter(Boolean).join(" ");
  return (
    <TextField
      label={isRequired ? label : `${label} (optional)`}
      {...(hint && { hint })}
      fault={faults[name]}
      required={isRequired}
      type={isSecret ? "password" : "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      autoComplete="off"
      spellCheck={false}
      placeholder={isKept ? keptSecret : (usual ?? "")}
      value={isKept ? "" : text}
      onChange={(event) => onChange(name, event.target.value)}
    />
  );
}

function Flag({ setting: { name, label, help, usual }, typed, faults, onChange }: SettingFieldProps) {
  const id = useId();
  const isUsual = usual === "true";
  const text = textOf(typed, name);
  const isOn = text === "" ? isUsual : text === "true";
  const fault = faults[name];
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={`${id}-hint`}
          aria-invalid={fault !== undefined || undefined}
          // The default is left out of the file.
          onChange={() => onChange(name, isOn === isUsual ? String(!isOn) : "")}
        />
        {label}
      </label>
      <span className={fault === undefined ? "hint" : "field-fault"} id={`${id}-hint`}>
        {fault ?? help}
      </span>
    </div>
  );
}

function Group({ setting: { label, help, inner }, ...form }: SettingFieldProps) {
  const id = useId();
  return (
    <fieldset className="group stack" aria-describedby={help === undefined ? undefined : id}>
      <legend className="legend">{label}</legend>
      {help !== undefined && (
        <p className="small quiet" id={id}>
          {help}
        </p>
      )}
      <SettingFields settings={inner} {...form} />
    </fieldset>
  );
}
