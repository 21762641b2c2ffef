import { useId, useState } from "react";
import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import { TextField } from "../../parts/fields.js";
import { boundsOf, type TimeRange } from "../time-range.js";
import { type Grouping, groupings, rowsOf } from "./group-usage.js";

interface ValueFilterProps {
  readonly name: Grouping;
  readonly range: TimeRange;
  /** Empty for no filter. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** More would not be read, and slow down the field. */
const offeredMax = 500;

/**
 * A filter that offers the values with usage in the range, those with the most requests first. They are loaded when the
 * field gets the focus. A value that is not complete yet is not asked for.
 */
export function ValueFilter({ name, range, value, onChange }: ValueFilterProps) {
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState<string>();
  const known = useRetrieveUsage({ group_by: [name], ...boundsOf(range) }, { isEnabled: isOpen });
  const rows = rowsOf(known.data?.data ?? [], name, "requests").slice(0, offeredMax);
  const apply = (text: string) => {
    setDraft(undefined);
    if (text !== value) onChange(text);
  };
  return (
    <>
      <TextField
        label={groupings[name]}
        type="search"
        placeholder="Any"
        list={listId}
        autoComplete="off"
        value={draft ?? value}
        onFocus={() => setOpen(true)}
        onBlur={() => draft !== undefined && apply(draft.trim())}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && apply(currentTarget.value.trim())}
        onChange={({ target }) => {
          const isKnown = target.value === "" || rows.some((row) => row.value === target.value);
          if (isKnown) apply(target.value);
          else setDraft(target.value);
        }}
      />
      <datalist id={listId}>
        {rows.map((row) =>
          row.value === null ? null : (
            <option key={row.id} value={row.value} label={row.name === row.value ? undefined : row.name} />
          ),
        )}
      </datalist>
    </>
  );
}
