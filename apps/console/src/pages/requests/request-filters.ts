import type { RequestsQuery } from "../../operations/listRequests.js";
import type { Option } from "../../parts/fields.js";
import { boundsOf, readRange } from "../time-range.js";

/** The page's filters, by their names in the URL: those of `listRequests`, and `time`. */
export const filterNames = [
  "time",
  "owner",
  "key",
  "internal",
  "model",
  "has_model",
  "operation",
  "upstream",
  "failed",
  "recovered",
  "recovered_from",
  "error_code",
  "cache",
  "min_duration_ms",
  "batch",
  "job",
] as const;

export type FilterName = (typeof filterNames)[number];

type Operation = NonNullable<RequestsQuery["operation"]>;

/** A record, so that the compiler demands every new operation. */
const isOperation: Readonly<Record<Operation, true>> = {
  createEmbedding: true,
  createEmbeddingLegacy: true,
  createImage: true,
  createImageEdit: true,
  listModels: true,
  retrieveModel: true,
};
const operations = Object.keys(isOperation) as Operation[];
const caches = ["hit", "partial", "miss"] as const;

export const filterValues = { operations, caches } as const;

/** Reads the filters from the URL. Values that the operation does not know are dropped. */
export function readFilters(address: URLSearchParams, nowMs: number): RequestsQuery {
  const text = (name: string) => address.get(name)?.trim() || undefined;
  const range = readRange(address, nowMs);
  const operation = operations.find((one) => one === text("operation"));
  const cache = caches.find((one) => one === text("cache"));
  const flags: Readonly<Record<string, boolean>> = { true: true, false: false };
  const slower = Number(text("min_duration_ms") ?? Number.NaN);
  const query = {
    ...(range && boundsOf(range)),
    owner: text("owner"),
    key: text("key"),
    model: text("model"),
    has_model: flags[text("has_model") ?? ""],
    upstream: text("upstream"),
    error_code: text("error_code"),
    batch: text("batch"),
    job: text("job"),
    operation,
    cache,
    internal: flags[text("internal") ?? ""],
    failed: flags[text("failed") ?? ""],
    recovered: flags[text("recovered") ?? ""],
    recovered_from: text("recovered_from"),
    ...(slower >= 0 && { min_duration_ms: slower }),
    limit: 50,
  };
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined),
  ) as RequestsQuery;
}

/** Keys by their names. Two keys may have one name: their ids tell them apart. */
export function keyOptions(keys: readonly { readonly id: string; readonly name: string }[]): Option[] {
  const counts = new Map<string, number>();
  for (const { name } of keys) counts.set(name, (counts.get(name) ?? 0) + 1);
  return keys.map(({ id, name }) => ({
    value: id,
    label: counts.get(name) === 1 ? name : `${name} (${id})`,
  }));
}
