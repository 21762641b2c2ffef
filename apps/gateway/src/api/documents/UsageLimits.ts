import type { UsageLimits } from "@model-gateway/domain/access-key";
import type { Schemas } from "@model-gateway/domain/operations";

type WireLimits = Schemas["UsageLimits"];

const names: Readonly<Record<keyof WireLimits, keyof UsageLimits>> = {
  requests_per_minute: "requestsPerMinute",
  requests_per_day: "requestsPerDay",
  tokens_per_minute: "tokensPerMinute",
  tokens_per_day: "tokensPerDay",
  images_per_minute: "imagesPerMinute",
  images_per_day: "imagesPerDay",
  max_concurrency: "maxConcurrency",
};
const pairs = Object.entries(names) as [keyof WireLimits, keyof UsageLimits][];

/** All limits by their names in the spec; null for a limit that is not set. */
export function describeLimits(limits: UsageLimits): WireLimits {
  return Object.fromEntries(pairs.map(([wire, name]) => [wire, limits[name] ?? null])) as WireLimits;
}

/** The limits after a change: absent fields keep their limit, null removes it. A change that is null removes all. */
export function changeLimits(limits: UsageLimits, change: Schemas["UsageLimitsChange"]): UsageLimits {
  if (change === null) return {};
  return Object.fromEntries(
    pairs.flatMap(([wire, name]) => {
      const value = change[wire] === undefined ? limits[name] : change[wire];
      return value === null || value === undefined ? [] : [[name, value]];
    }),
  );
}
