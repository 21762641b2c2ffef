import { useEffect, useId, useState } from "react";
import { type Option, TextField } from "./fields.js";
import { matchKnown } from "./match-known.js";

interface KnownFieldProps {
  readonly label: string;
  /** The value that is chosen; empty for none. */
  readonly value: string;
  /** The known values and the names that are shown for them. */
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  /** The text as it is typed, for values that are searched elsewhere. */
  readonly onType?: (text: string) => void;
  /** For values that are loaded when they are needed. */
  readonly onFocus?: () => void;
  /** The options do not fit the text yet. */
  readonly isSearching?: boolean;
}

/**
 * A filter that offers the known values while one types. It holds when a value is picked, and on Enter or when the field
 * is left: the beginning of a known value is then enough. A text that is the beginning of none is taken as it is.
 */
export function KnownField(props: KnownFieldProps) {
  const { label, value, options, onChange, onType, onFocus, isSearching = false } = props;
  const id = useId();
  const shown = options.find((option) => option.value === value)?.label ?? value;
  /** Undefined while the field shows what is chosen. */
  const [text, setText] = useState<string>();
  const [fitting, setFitting] = useState(0);
  /** Typed to the end, while the options are still searched. */
  const [isWaiting, setWaiting] = useState(false);
  const take = (typed: string) => {
    setWaiting(isSearching);
    if (isSearching) return;
    const match = matchKnown(typed, options);
    setFitting(match.fitting);
    if (match.value === undefined) return;
    setText(undefined);
    if (match.value !== value) onChange(match.value);
  };
  const finish = () => {
    if (text !== undefined) take(text);
  };
  const type = (typed: string) => {
    setText(typed);
    setFitting(0);
    setWaiting(false);
    onType?.(typed);
    // Picked from the list, or cleared: nothing more will come.
    if (typed === "" || options.some((option) => option.label === typed)) take(typed);
  };
  // The value may change elsewhere: the filters are cleared.
  useEffect(() => setText(undefined), [value]);
  useEffect(() => {
    if (isWaiting && !isSearching) finish();
  });
  return (
    <>
      <TextField
        label={label}
        type="search"
        list={id}
        autoComplete="off"
        spellCheck={false}
        placeholder="Any"
        value={text ?? shown}
        onChange={(event) => type(event.target.value)}
        onFocus={onFocus}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === "Enter") finish();
        }}
        {...(fitting > 1 && { fault: `${fitting} begin with this` })}
      />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option.value} value={option.label} />
        ))}
      </datalist>
    </>
  );
}
