import { type Option, SelectField, TextField } from "../parts/fields.js";
import { type Address, changeQuery } from "../routes/address.js";
import { formatDate, rangeOptions, readRange } from "./time-range.js";

interface RangeFieldsProps {
  readonly address: Address;
  /** The options before the ranges, such as one for any time. */
  readonly before?: readonly Option[];
  /** The range while the address names none. */
  readonly otherwise: string;
}

/** The time range of a page, with two dates for a custom one. */
export function RangeFields({ address, before = [], otherwise }: RangeFieldsProps) {
  const range = readRange(address.query, Date.now());
  const change = (time: string) => {
    // A custom range begins as the one before it.
    const custom = time === "custom" && range !== undefined;
    const last = Math.min((range?.to ?? Number.POSITIVE_INFINITY) - 1, Date.now() / 1000);
    changeQuery(address, {
      time,
      from: custom ? formatDate(range.from) : undefined,
      to: custom ? formatDate(last) : undefined,
    });
  };
  const date = (name: "from" | "to", label: string, seconds: number) => (
    <TextField
      label={label}
      type="date"
      value={address.query.get(name) ?? formatDate(seconds)}
      onChange={({ target }) => changeQuery(address, { [name]: target.value })}
    />
  );
  return (
    <>
      <SelectField
        label="Time"
        value={range?.name ?? otherwise}
        options={[...before, ...rangeOptions]}
        onChange={change}
      />
      {range?.name === "custom" && (
        <>
          {date("from", "From (UTC)", range.from)}
          {date("to", "To (UTC)", (range.to ?? range.from) - 1)}
        </>
      )}
    </>
  );
}
