import fc from "fast-check";
import { columnEntries, type LedgerForm } from "../ledger/ledger-columns.js";
import type { LedgerRow } from "../ledger/ledger-store.js";

/** Rows of any values, with these texts. A column whose values the form does not tell has a line here. */
export function anyRow(text: fc.Arbitrary<string>): fc.Arbitrary<LedgerRow> {
  const number = fc.integer({ min: 0 });
  const attempt = fc.record({
    upstream: text,
    model: text,
    status: fc.option(number),
    ms: fc.option(number),
    reason: text,
  });
  const attempts = fc.array(attempt, { maxLength: 3 });
  const ofForm: Readonly<Record<Exclude<LedgerForm, "json">, fc.Arbitrary<unknown>>> = {
    text,
    integer: number,
    time: number,
    nanos: number,
    real: fc.double({ min: 0, max: 1e6, noNaN: true }),
    flag: fc.boolean(),
  };
  const ofColumn: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    operation: fc.constantFrom("createEmbedding", "createImage"),
    cache: fc.constantFrom("hit", "partial", "miss"),
    contentCredentials: fc.constantFrom("preserved", "removed", "none"),
    failure: fc.record({ message: text, param: fc.option(text), requestedModel: fc.option(text), attempts }),
    failedAttempts: attempts,
  };
  const columns = columnEntries.map(([name, { form, isNullable }]) => {
    const value = ofColumn[name] ?? ofForm[form as Exclude<LedgerForm, "json">];
    return [name, isNullable ? fc.option(value) : value];
  });
  return fc.record(Object.fromEntries(columns)) as fc.Arbitrary<LedgerRow>;
}
