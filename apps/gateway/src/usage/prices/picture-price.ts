import type { PicturePrices } from "../../domain/price.js";

/** What a picture is priced by. What is absent is not known, or was left to the upstream. */
export interface PictureKind {
  readonly size?: string;
  readonly quality?: string;
}

/** What a picture of this kind costs, in US dollars; undefined where the table does not say. */
export function picturePrice(
  prices: number | PicturePrices,
  { size, quality }: PictureKind,
): number | undefined {
  if (typeof prices === "number") return prices;
  const ofSize = entry(prices, size);
  return typeof ofSize === "object" ? entry(ofSize, quality) : ofSize;
}

/** The most that a picture of this kind may cost, whatever the upstream makes of what is left to it. */
export function dearestPicture(prices: number | PicturePrices, kind: PictureKind): number {
  const known = picturePrice(prices, kind);
  if (known !== undefined || typeof prices === "number") return known ?? 0;
  const ofSize = entry(prices, kind.size);
  const rows = ofSize === undefined ? Object.values(prices) : [ofSize];
  const candidates = rows.flatMap((row) =>
    typeof row === "number" ? row : (entry(row, kind.quality) ?? Object.values(row)),
  );
  return Math.max(0, ...candidates);
}

/** Names come from outside, so that only a table's own entries count. */
function entry<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  if (name !== undefined && Object.hasOwn(table, name)) return table[name];
  return table["*"];
}
