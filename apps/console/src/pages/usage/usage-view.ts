import type { UsageQuery } from "../../operations/retrieveUsage.js";
import { linkTo } from "../../routes/address.js";
import { boundsOf, rangeQuery, readRange, spanRange, type TimeRange } from "../time-range.js";
import { type Grouping, groupings, type Measure, measures, type UsageRow } from "./group-usage.js";

/** The content of the page, as its address says. */
export interface UsageView {
  readonly range: TimeRange;
  readonly by: Grouping;
  readonly measure: Measure;
  readonly filters: UsageFilters;
}

/** Each grouping is also a filter, by the same name. */
export type UsageFilters = Readonly<Partial<Record<Grouping, string>>>;

export const filterNames = Object.keys(groupings) as Grouping[];

/** From an owner to the owner's keys, to the models of a key, to the requests. */
const drillOrder: readonly Grouping[] = ["owner", "key", "model"];

export function readView(query: URLSearchParams, nowMs: number): UsageView {
  const given = filterNames.map((name) => [name, query.get(name)?.trim() ?? ""] as const);
  return {
    range: readRange(query, nowMs) ?? spanRange("7d", nowMs),
    by: oneOf(groupings, query.get("by"), "model"),
    measure: oneOf(measures, query.get("measure"), "requests"),
    filters: Object.fromEntries(given.filter(([, value]) => value !== "")),
  };
}

/** The view as a question, one group a row. */
export function questionOf({ range, by, filters }: UsageView): UsageQuery {
  // An operation that does not exist is refused by the gateway, which names those that do.
  return { group_by: [by], ...boundsOf(range), ...filters } as UsageQuery;
}

/** A view with one filter more: the next grouping, or the requests once nothing is left to group by. */
export function rowLink(view: UsageView, { value }: Pick<UsageRow, "value">): string | undefined {
  if (value === null) return rowRequestsLink(view, { value });
  const filters: UsageFilters = { ...view.filters, [view.by]: value };
  const next = drillOrder.find((name) => filters[name] === undefined && !(name === "owner" && filters.key));
  return next === undefined ? requestsLink({ ...view, filters }) : viewLink({ ...view, by: next, filters });
}

/** The requests of a view. A key has one owner, so the owner need not be named beside it. */
export function requestsLink(
  { range, filters: { owner, ...filters } }: UsageView,
  more: Readonly<Record<string, string>> = {},
): string {
  const ofOwner = filters.key === undefined ? { owner } : {};
  return linkTo("/requests", { ...rangeQuery(range), ...ofOwner, ...filters, ...more });
}

/** The requests of one row. Of the rows without a name, only those without a valid model can be found. */
export function rowRequestsLink(
  view: UsageView,
  { value }: Pick<UsageRow, "value">,
  more: Readonly<Record<string, string>> = {},
): string | undefined {
  if (value !== null) return requestsLink({ ...view, filters: { ...view.filters, [view.by]: value } }, more);
  return view.by === "model" ? requestsLink(view, { has_model: "false", ...more }) : undefined;
}

export function viewLink({ range, by, measure, filters }: UsageView): string {
  return linkTo("/usage", { ...rangeQuery(range), by, measure, ...filters });
}

function oneOf<Names extends object>(names: Names, name: string | null, otherwise: keyof Names): keyof Names {
  return name !== null && Object.hasOwn(names, name) ? (name as keyof Names) : otherwise;
}
