interface SwitchProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly chosen: Value;
  readonly onChange: (value: Value) => void;
}

/** A few choices side by side, one of which holds. */
export function Switch<Value extends string>({ label, options, chosen, onChange }: SwitchProps<Value>) {
  return (
    <fieldset className="switch" aria-label={label}>
      {options.map(({ value, name }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChange(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
