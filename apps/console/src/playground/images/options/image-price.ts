import type { Schemas } from "../../../operations/schemas.js";

interface Wanted {
  readonly size: string;
  readonly quality: string;
  readonly count: number;
}

/** Price of the images at the first target. Undefined if unknown or free. */
export function imagePrice(
  targets: readonly Schemas["AdminTarget"][] | undefined,
  wanted: Wanted,
): number | undefined {
  const first = targets?.toSorted((one, other) => one.tier - other.tier)[0];
  const entries = first?.price?.per_image ?? [];
  const find = (size: string, quality: string) =>
    entries.find((entry) => entry.size === size && entry.quality === quality);
  const { size, quality, count } = wanted;
  const entry = find(size, quality) ?? find(size, "*") ?? find("*", quality) ?? find("*", "*");
  return entry === undefined || entry.usd === 0 ? undefined : entry.usd * count;
}
