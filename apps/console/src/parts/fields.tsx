import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Width in a row of filters. */
  readonly room?: "narrow" | "wide";
}

/** A text field with its label above it. */
export function TextField({ label, hint, room, ...input }: FieldProps & Omit<ComponentProps<"input">, "id">) {
  const id = useId();
  return (
    <div className={room === undefined ? "field" : `field ${room}`}>
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} {...input} />
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps extends FieldProps {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

export function SelectField({ label, hint, room, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={room === undefined ? "field" : `field ${room}`}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && <span className="hint">{hint}</span>}
    </div>
  );
}

export function TextArea({
  label,
  hint,
  ...area
}: Omit<FieldProps, "room"> & Omit<ComponentProps<"textarea">, "id">) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} {...area} />
      {hint !== undefined && <span className="hint">{hint}</span>}
    </div>
  );
}

/** The same words for a list of values and their labels. */
export function optionsOf(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: value }));
}
