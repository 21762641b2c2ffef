import { useState } from "react";
import { useListKeys } from "../../operations/listKeys.js";
import { useRetrieveKey } from "../../operations/retrieveKey.js";
import { KnownField } from "../../parts/known-field.js";
import { keyOptions } from "./request-filters.js";

const keysMax = 20;

interface KeyFieldProps {
  /** The id of the key. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Keys are found by their names. There may be thousands, so the gateway searches them. */
export function KeyField({ value, onChange }: KeyFieldProps) {
  const [text, setText] = useState("");
  const search = text.trim();
  const keys = useListKeys({ limit: keysMax, ...(search && { search }) });
  const found = keys.data?.pages[0]?.data ?? [];
  const known = useRetrieveKey(value === "" ? undefined : value).data;
  const others = found.filter(({ id }) => id !== known?.id);
  const options = keyOptions(known === undefined ? found : [known, ...others]);
  return (
    <KnownField
      label="Key"
      value={value}
      options={options}
      onChange={onChange}
      onType={setText}
      isSearching={keys.isFetching}
    />
  );
}
