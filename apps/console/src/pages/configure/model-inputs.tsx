import type { Schemas } from "../../operations/schemas.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { priceLabel } from "./model-price.js";

interface InputProps {
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The id of a model, which callers use. */
export function IdField({ value, fault, onChange }: InputProps) {
  return (
    <TextField
      label="Id for callers"
      hint="Requests name the model by this."
      fault={fault}
      required
      maxLength={256}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface PriceFieldProps extends InputProps {
  /** Undefined while it is not chosen. */
  readonly type: Schemas["Model"]["type"] | undefined;
  /** Where the price applies, as a sentence. */
  readonly hint?: string;
}

/** The price of a model, in US dollars. There is none to enter before the type is known. */
export function PriceField({ type, hint, value, fault, onChange }: PriceFieldProps) {
  if (type === undefined) return null;
  const empty = "Empty: the price that the gateway knows. Budgets do not count a model without a price.";
  return (
    <TextField
      label={`${priceLabel(type)} (optional)`}
      hint={hint === undefined ? empty : `${hint} ${empty}`}
      fault={fault}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The meaning of requests without an input type. Shown where the gateway asks for it, or where one is set. */
export function InputTypeField({ value, fault, onChange }: InputProps) {
  if (value === "" && fault === undefined) return null;
  const words = ["document", "query"];
  return (
    <SelectField
      label="Input type"
      hint="The meaning of requests that name no input_type."
      fault={fault}
      value={value}
      options={[
        { value: "", label: "None" },
        ...optionsOf(value === "" || words.includes(value) ? words : [value, ...words]),
      ]}
      onChange={onChange}
    />
  );
}
