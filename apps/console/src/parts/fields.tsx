import { type ComponentProps, type ReactNode, useId } from "react";
import { Message } from "./message.js";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The fault of the value, as a sentence. */
  readonly fault?: string | undefined;
  /** Width in a row of filters. */
  readonly room?: "narrow" | "wide";
}

/** A text field with its label above it. */
export function TextField({
  label,
  hint,
  fault,
  room,
  ...input
}: FieldProps & Omit<ComponentProps<"input">, "id">) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault} {...(room && { room })}>
      <input id={id} {...described(id, { hint, fault })} {...input} />
    </Field>
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
  readonly disabled?: boolean;
}

export function SelectField(props: SelectFieldProps) {
  const { label, hint, fault, room, value, options, onChange, disabled } = props;
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault} {...(room && { room })}>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        {...described(id, { hint, fault })}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  fault,
  ...area
}: Omit<FieldProps, "room"> & Omit<ComponentProps<"textarea">, "id">) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <textarea id={id} {...described(id, { hint, fault })} {...area} />
    </Field>
  );
}

type Notes = Pick<FieldProps, "hint" | "fault">;

function Field({
  id,
  label,
  hint,
  fault,
  room,
  children,
}: FieldProps & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className={room === undefined ? "field" : `field ${room}`}>
      <label htmlFor={id}>{label}</label>
      {children}
      {fault !== undefined && (
        <span className="field-fault" id={`${id}-fault`}>
          <Message text={fault} />
        </span>
      )}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** Ties the notes below a field to it, for screen readers. */
function described(id: string, { hint, fault }: Notes) {
  const notes = [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return {
    ...(notes.length > 0 && { "aria-describedby": notes.join(" ") }),
    ...(fault !== undefined && { "aria-invalid": true as const }),
  };
}

/** The same words for a list of values and their labels. */
export function optionsOf(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: value }));
}
