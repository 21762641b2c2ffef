import { useState } from "react";
import { useRetrieveKey } from "../../operations/retrieveKey.js";
import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import { type Option, optionsOf } from "../../parts/fields.js";
import { KnownField } from "../../parts/known-field.js";
import { keyOptions } from "../requests/request-filters.js";
import { boundsOf, type TimeRange } from "../time-range.js";
import { type Grouping, groupings, rowsOf, type UsageRow } from "./group-usage.js";

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
 * field gets the focus.
 */
export function ValueFilter({ name, range, value, onChange }: ValueFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const known = useRetrieveUsage({ group_by: [name], ...boundsOf(range) }, { isEnabled: isOpen });
  const chosen = useRetrieveKey(name === "key" && value !== "" ? value : undefined).data;
  const rows = rowsOf(known.data?.data ?? [], name, "requests").slice(0, offeredMax);
  return (
    <KnownField
      label={groupings[name]}
      value={value}
      options={name === "key" ? keysOf(rows, chosen) : optionsOf(rows.flatMap((row) => row.value ?? []))}
      onChange={onChange}
      onFocus={() => setOpen(true)}
      isSearching={known.isFetching}
    />
  );
}

type NamedKey = Parameters<typeof keyOptions>[0][number];

/** The name of the chosen key is known before the others are loaded. */
function keysOf(rows: readonly UsageRow[], chosen: NamedKey | undefined): Option[] {
  const listed = rows.flatMap(({ value, name }) => (value === null ? [] : [{ id: value, name }]));
  const isListed = listed.some(({ id }) => id === chosen?.id);
  return keyOptions(chosen === undefined || isListed ? listed : [chosen, ...listed]);
}
