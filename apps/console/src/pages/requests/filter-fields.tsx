import { errorTable } from "@model-gateway/spec/errors";
import { useDeferredValue, useState } from "react";
import { useListKeys } from "../../operations/listKeys.js";
import { useListModels } from "../../operations/listModels.js";
import { useListUpstreams } from "../../operations/listUpstreams.js";
import { useRetrieveKey } from "../../operations/retrieveKey.js";
import { type Option, optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { Filters } from "../../parts/filters.js";
import { KnownField } from "../../parts/known-field.js";
import { type Address, changeQuery } from "../../routes/address.js";
import { RangeFields } from "../range-fields.js";
import { type FilterName, filterNames, filterValues, keyOptions } from "./request-filters.js";

const errorCodes = optionsOf(Object.keys(errorTable).sort());
const keysMax = 20;

/** The filters of the list of requests. They live in the address. */
export function FilterFields({ address }: { readonly address: Address }) {
  const models = useListModels().data ?? [];
  const upstreams = useListUpstreams().data?.data ?? [];
  const chosen = (name: FilterName) => address.query.get(name) ?? "";
  const fieldOf = (name: FilterName) => ({
    value: chosen(name),
    onChange: (value: string) => changeQuery(address, { [name]: value }),
  });
  const select = (name: FilterName, label: string, options: readonly Option[]) => (
    <SelectField
      label={label}
      options={[{ value: "", label: "Any" }, ...options]}
      room="narrow"
      {...fieldOf(name)}
    />
  );
  return (
    <Filters count={filterNames.filter((name) => chosen(name) !== "").length}>
      <RangeFields address={address} before={[{ value: "", label: "Any" }]} otherwise="" />
      {select("failed", "Outcome", [
        { value: "true", label: "Failed" },
        { value: "false", label: "Succeeded" },
      ])}
      <KnownField label="Model" options={optionsOf(models.map(({ id }) => id))} {...fieldOf("model")} />
      <KeyField {...fieldOf("key")} />
      <KnownField
        label="Upstream"
        options={optionsOf(upstreams.map(({ name }) => name))}
        {...fieldOf("upstream")}
      />
      {select("operation", "Operation", optionsOf(filterValues.operations))}
      <KnownField label="Error code" options={errorCodes} {...fieldOf("error_code")} />
      {select("cache", "Cache", optionsOf(filterValues.caches))}
      <TextField
        label="Slower than, ms"
        type="number"
        min="0"
        room="narrow"
        value={chosen("min_duration_ms")}
        onChange={(event) => changeQuery(address, { min_duration_ms: event.target.value })}
      />
    </Filters>
  );
}

interface KeyFieldProps {
  /** The id of the key. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Keys are found by their names. There may be thousands, so the gateway searches them. */
function KeyField({ value, onChange }: KeyFieldProps) {
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
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
      isSearching={keys.isFetching || search !== text.trim()}
    />
  );
}
