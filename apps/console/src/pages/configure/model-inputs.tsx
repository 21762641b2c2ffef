import type { Schemas } from "../../operations/schemas.js";
import { TextField } from "../../parts/fields.js";
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
  readonly type: Schemas["Model"]["type"];
  readonly hint: string;
}

/** The price of a model, in US dollars. */
export function PriceField({ type, hint, value, fault, onChange }: PriceFieldProps) {
  return (
    <TextField
      label={priceLabel(type)}
      hint={hint}
      fault={fault}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
