import type { Schemas } from "../../operations/schemas.js";
import type { Bar } from "../../parts/stacked-bars.js";

export type UsageGroup = Schemas["UsageGroup"];

export const groupings = {
  owner: "Owner",
  key: "Key",
  model: "Model",
  upstream: "Upstream",
  operation: "Operation",
} as const;
export type Grouping = keyof typeof groupings;

export const measures = {
  requests: "Requests",
  failed_requests: "Failed",
  input_tokens: "Tokens in",
  output_tokens: "Tokens out",
  images: "Images",
  cost_usd: "Cost",
  cached_inputs: "From the cache",
  saved_usd: "Saved",
} as const;
export type Measure = keyof typeof measures;

/** The usage of one name over the whole time. */
export interface UsageRow {
  /** Two keys may have one name, so rows are known by id. */
  readonly id: string;
  readonly name: string;
  /** The value to filter by. `null` if the group has none. */
  readonly value: string | null;
  readonly requests: number;
  readonly failed_requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly images: number;
  /** `null` if no cost is known. */
  readonly cost_usd: number | null;
  readonly unpriced_requests: number;
  readonly cached_inputs: number;
  /** Saved by the cache; `null` if unknown. */
  readonly saved_usd: number | null;
}

/** The measures that are amounts of money. */
export const moneyMeasures: ReadonlySet<Measure> = new Set(["cost_usd", "saved_usd"]);

/** Adds up the groups of all steps, largest first. */
export function rowsOf(groups: readonly UsageGroup[], by: Grouping, measure: Measure): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const group of groups) {
    const { id, name, value } = identify(group, by);
    const row = rows.get(id);
    rows.set(id, {
      id,
      name,
      value,
      requests: (row?.requests ?? 0) + group.requests,
      failed_requests: (row?.failed_requests ?? 0) + group.failed_requests,
      input_tokens: (row?.input_tokens ?? 0) + group.input_tokens,
      output_tokens: (row?.output_tokens ?? 0) + group.output_tokens,
      images: (row?.images ?? 0) + group.images,
      cost_usd: addKnown(row?.cost_usd ?? null, group.cost_usd),
      unpriced_requests: (row?.unpriced_requests ?? 0) + group.unpriced_requests,
      cached_inputs: (row?.cached_inputs ?? 0) + group.cached_inputs,
      saved_usd: addSaved(row, group),
    });
  }
  return [...rows.values()].sort(
    (one, other) => (other[measure] ?? 0) - (one[measure] ?? 0) || one.name.localeCompare(other.name),
  );
}

function addKnown(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

type Saved = Pick<UsageGroup, "cached_inputs" | "saved_usd">;

/** Without cached inputs the saving is 0, which says nothing about the price. */
function addSaved(row: Saved | undefined, group: Saved): number | null {
  if (row === undefined || row.cached_inputs === 0) return group.saved_usd;
  return group.cached_inputs === 0 ? row.saved_usd : addKnown(row.saved_usd, group.saved_usd);
}

type Identity = Pick<UsageRow, "id" | "name" | "value">;

function identify(group: UsageGroup, by: Grouping): Identity {
  switch (by) {
    case "key": {
      const { key_id: value = "", key_name: name = value } = group;
      return { id: `key ${value}`, name, value };
    }
    case "model":
      return named(group.model, "unknown model");
    case "owner":
      return named(group.owner, "no owner");
    case "upstream":
      return named(group.upstream, "no upstream");
    case "operation":
      return named(group.operation, "");
  }
}

function named(value: string | null | undefined, none: string): Identity {
  return value === null || value === undefined
    ? { id: "none", name: none, value: null }
    : { id: `is ${value}`, name: value, value };
}

export interface Series {
  readonly names: readonly string[];
  readonly bars: readonly Bar[];
}

interface Steps {
  readonly starts: readonly number[];
  readonly label: (start: number) => string;
}

/** The charts of failures must name the models that fail, even if others have more requests. */
const failingMax = 3;

/**
 * Rows in an order that all charts of a page share, so that a name has one colour: if there are more than get a colour,
 * those with the most failures are among them.
 */
export function rankForCharts(rows: readonly UsageRow[]): UsageRow[] {
  if (rows.length <= ownSeriesMax + 1) return [...rows];
  const failing = rows
    .filter(({ failed_requests }) => failed_requests > 0)
    .toSorted((one, other) => other.failed_requests - one.failed_requests)
    .slice(0, failingMax);
  const most = rows.filter((row) => !failing.includes(row)).slice(0, ownSeriesMax - failing.length);
  const first = rows.filter((row) => failing.includes(row) || most.includes(row));
  return [...first, ...rows.filter((row) => !first.includes(row))];
}

/** Eight colours are distinguishable: the largest seven rows get one each, and the rest share the last. */
const ownSeriesMax = 7;

/** One bar a step, one part of it a row. */
export function seriesOf(
  groups: readonly UsageGroup[],
  rows: readonly UsageRow[],
  { by, measure, steps }: { readonly by: Grouping; readonly measure: Measure; readonly steps: Steps },
): Series {
  const shown = rows.length <= ownSeriesMax + 1 ? rows : rows.slice(0, ownSeriesMax);
  const places = new Map(shown.map(({ id }, place) => [id, place]));
  const names = [
    ...distinct(shown),
    ...(shown.length < rows.length ? [`${rows.length - shown.length} others`] : []),
  ];
  const values = new Map(steps.starts.map((start) => [start, names.map(() => 0)]));
  for (const group of groups) {
    const bar = values.get(group.starts_at ?? 0);
    const place = places.get(identify(group, by).id) ?? names.length - 1;
    if (bar !== undefined) bar[place] = (bar[place] ?? 0) + (group[measure] ?? 0);
  }
  return {
    names,
    bars: [...values].map(([start, parts]) => ({ label: steps.label(start), values: parts })),
  };
}

/** Numbers keys that share a name, so that the legend distinguishes them. */
function distinct(rows: readonly UsageRow[]): string[] {
  const seen = new Map<string, number>();
  return rows.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
