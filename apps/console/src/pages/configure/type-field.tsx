import { SelectField } from "../../parts/fields.js";
import { modelKinds } from "../models/model-kinds.js";
import type { ModelType } from "./model-choices.js";

interface TypeFieldProps {
  /** Undefined if it is not chosen yet. */
  readonly type: ModelType | undefined;
  readonly isKnown: boolean;
  readonly isGuessed: boolean;
  readonly choices: readonly ModelType[];
  readonly fault: string | undefined;
  readonly onChange: (type: ModelType) => void;
}

/** The type of a model. It is asked for where neither the provider nor the name shows it. */
export function TypeField({ type, isKnown, isGuessed, choices, fault, onChange }: TypeFieldProps) {
  const offered = isKnown && type !== undefined ? [type] : choices;
  return (
    <SelectField
      label="Type"
      {...(isGuessed && { hint: "Guessed from the name. Choose the other one if it is wrong." })}
      fault={fault}
      value={type ?? ""}
      disabled={isKnown}
      options={[
        ...(type === undefined ? [{ value: "", label: "Choose one" }] : []),
        ...offered.map((one) => ({ value: one, label: modelKinds[one].name })),
      ]}
      onChange={(value) => {
        const chosen = choices.find((one) => one === value);
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}
