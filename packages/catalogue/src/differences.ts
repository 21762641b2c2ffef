import { isDeepStrictEqual } from "node:util";
import type { Catalogue } from "./catalogue.js";
import type { CatalogueFamily, CatalogueRow, Rate } from "./catalogue-file.js";

/** A line for each model that was added, removed or changed. A page that was only read again is not a change. */
export function differencesOf(before: Catalogue, after: Catalogue): string[] {
  const [old, recent] = [byName(before), byName(after)];
  return [
    ...[...recent].flatMap(([name, row]) => {
      const known = old.get(name);
      if (known === undefined) return [`+ ${name}: ${describeEntry(row)}`];
      const changes = changesOf(withoutPatterns(known), withoutPatterns(row));
      return changes.length === 0 ? [] : [`~ ${name}: ${changes.join("; ")}`];
    }),
    ...[...old.keys()].filter((name) => !recent.has(name)).map((name) => `- ${name}`),
  ];
}

type Entry = CatalogueRow | CatalogueFamily;

/** A family is named by its patterns. */
function byName({ rows, families }: Catalogue): Map<string, Entry> {
  return new Map<string, Entry>([
    ...rows.map((row) => [`${row.provider} ${row.model}`, row] as const),
    ...families.map((family) => [`${family.provider} ${family.models.join(", ")}`, family] as const),
  ]);
}

function describeEntry(entry: Entry): string {
  if (!("kind" in entry)) return "facts of a family";
  const { kind, prices, shutdown_on: end } = entry;
  const parts = [kind, prices === undefined ? "price unknown" : prices.map(describeRate).join(", ")];
  return [...parts, ...(end === undefined ? [] : [`shuts down on ${end}`])].join("; ");
}

function withoutPatterns({ models: _patterns, ...entry }: Entry & { readonly models?: readonly string[] }) {
  return entry;
}

function changesOf(before: Readonly<Partial<CatalogueRow>>, after: typeof before): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof CatalogueRow>;
  return [...keys]
    .filter((key) => key !== "sources" && !isDeepStrictEqual(before[key], after[key]))
    .flatMap((key) =>
      key === "prices"
        ? changedRates(before.prices ?? [], after.prices ?? [])
        : [`${key} ${show(before[key])} -> ${show(after[key])}`],
    );
}

function changedRates(before: readonly Rate[], after: readonly Rate[]): string[] {
  const [old, recent] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...recent.keys()])].flatMap((key) => {
    const [one, other] = [old.get(key), recent.get(key)];
    return isDeepStrictEqual(one, other) ? [] : [`${key} ${amountOf(one)} -> ${amountOf(other)}`];
  });
}

function byKey(rates: readonly Rate[]): Map<string, Rate> {
  return new Map(rates.map((rate) => [keyOf(rate), rate]));
}

function keyOf({ billable, unit, variant = {} }: Rate): string {
  const words = Object.entries(variant).map(([name, value]) => (value === true ? name : String(value)));
  return [billable, unit, ...words].join(" ");
}

function describeRate(rate: Rate): string {
  return `${keyOf(rate)} ${amountOf(rate)}`;
}

function amountOf(rate: Rate | undefined): string {
  if (rate === undefined) return "none";
  return rate.per === undefined ? `$${rate.usd}` : `$${rate.usd} per ${rate.per}`;
}

function show(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
