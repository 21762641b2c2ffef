import { errorTable } from "@model-gateway/spec/errors";
import { useListModels } from "../../operations/listModels.js";
import { useListUpstreams } from "../../operations/listUpstreams.js";
import { type Option, optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { Filters } from "../../parts/filters.js";
import { KnownField } from "../../parts/known-field.js";
import { type Address, changeQuery } from "../../routes/address.js";
import { RangeFields } from "../range-fields.js";
import { readRange, spanRange } from "../time-range.js";
import { ValueFilter } from "../usage/value-filter.js";
import { KeyField } from "./key-field.js";
import { type FilterName, filterNames, filterValues } from "./request-filters.js";

const errorCodes = optionsOf(Object.keys(errorTable).sort());
/** Stands for requests without a model. No id is empty. */
const noModel: Option = { value: " ", label: "unknown model" };

/** Stands for requests that succeeded after a call had failed. */
const recovered = "recovered";
const outcomes: readonly Option[] = [
  { value: "", label: "Any" },
  { value: "true", label: "Failed" },
  { value: recovered, label: "Recovered by a retry" },
  { value: "false", label: "Succeeded or cancelled" },
];

/** The filters of the list of requests. They live in the address. */
export function FilterFields({ address }: { readonly address: Address }) {
  const models = useListModels();
  const upstreams = useListUpstreams();
  // Before they are loaded, the beginning of a name would be taken as a whole one.
  const ofUpstreams = {
    options: optionsOf((upstreams.data?.data ?? []).map(({ name }) => name)),
    isSearching: upstreams.isLoading,
  };
  const chosen = (name: FilterName) => address.query.get(name) ?? "";
  const isRecovered = chosen("recovered") === "true" || chosen("recovered_from") !== "";
  const fieldOf = (name: FilterName) => ({
    value: chosen(name),
    onChange: (value: string) => changeQuery(address, { [name]: value }),
  });
  const select = (name: FilterName, label: string, options: readonly Option[]) => (
    <SelectField label={label} options={[{ value: "", label: "Any" }, ...options]} {...fieldOf(name)} />
  );
  return (
    <Filters count={filterNames.filter((name) => chosen(name) !== "").length}>
      <RangeFields address={address} before={[{ value: "", label: "Any" }]} otherwise="" />
      <SelectField
        label="Outcome"
        options={outcomes}
        value={isRecovered ? recovered : chosen("failed")}
        onChange={(value) =>
          changeQuery(address, {
            failed: value === recovered ? undefined : value,
            recovered: value === recovered ? "true" : undefined,
            recovered_from: undefined,
          })
        }
      />
      {isRecovered && <KnownField label="Failed first at" {...ofUpstreams} {...fieldOf("recovered_from")} />}
      <KnownField
        label="Model"
        value={chosen("has_model") === "false" ? noModel.value : chosen("model")}
        options={[...optionsOf((models.data ?? []).map(({ id }) => id)), noModel]}
        isSearching={models.isLoading}
        onChange={(value) =>
          changeQuery(
            address,
            value === noModel.value
              ? { model: undefined, has_model: "false" }
              : { model: value, has_model: undefined },
          )
        }
      />
      <ValueFilter
        name="owner"
        range={readRange(address.query, Date.now()) ?? spanRange("30d", Date.now())}
        {...fieldOf("owner")}
      />
      <KeyField {...fieldOf("key")} />
      {select("internal", "Sent by", [
        { value: "false", label: "API keys" },
        { value: "true", label: "Console and gateway" },
      ])}
      <KnownField label="Upstream" {...ofUpstreams} {...fieldOf("upstream")} />
      {select("operation", "Operation", optionsOf(filterValues.operations))}
      <KnownField label="Error code" options={errorCodes} {...fieldOf("error_code")} />
      {select("cache", "Cache", optionsOf(filterValues.caches))}
      {chosen("batch") !== "" && (
        <KnownField label="Batch" options={optionsOf([chosen("batch")])} {...fieldOf("batch")} />
      )}
      {chosen("job") !== "" && (
        <KnownField label="Image job" options={optionsOf([chosen("job")])} {...fieldOf("job")} />
      )}
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
