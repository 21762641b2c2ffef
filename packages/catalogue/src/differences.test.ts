import { expect, test } from "vitest";
import { Catalogue } from "./catalogue.js";
import type { CatalogueFamily, CatalogueRow, Rate } from "./catalogue-file.js";
import { differencesOf } from "./differences.js";

const sources = [{ url: "https://vendor.example/models", read_on: "2026-01-01" }];
const rowOf = (fields: Partial<CatalogueRow>): CatalogueRow => ({
  provider: "vendor",
  model: "small",
  kind: "embedding",
  sources,
  ...fields,
});
const catalogueOf = (...models: CatalogueRow[]) =>
  new Catalogue({ date: "2026-01-01", providers: {}, models, families: [] });
const perMillion = (usd: number, fields: Partial<Rate> = {}): Rate => ({
  billable: "input_text",
  unit: "token",
  usd,
  per: 1_000_000,
  ...fields,
});

test("a line tells each model that was added or removed", () => {
  const before = catalogueOf(rowOf({ model: "old" }), rowOf({ model: "kept" }));
  const after = catalogueOf(
    rowOf({ model: "kept" }),
    rowOf({ model: "new" }),
    rowOf({
      model: "dear",
      kind: "image",
      prices: [
        perMillion(5),
        {
          billable: "output_image",
          unit: "image",
          usd: 0.04,
          variant: { size: "1024x1024", quality: "high" },
        },
      ],
      shutdown_on: "2027-01-01",
    }),
  );

  expect(differencesOf(before, after)).toEqual([
    "+ vendor new: embedding; price unknown",
    "+ vendor dear: image; input_text token $5 per 1000000, output_image image 1024x1024 high $0.04; shuts down on 2027-01-01",
    "- vendor old",
  ]);
});

test("a line tells what changed of a model, and a page that was read again is not a change", () => {
  const before = rowOf({ dimensions: 512, successor: "large", widths: [256, 512] });
  const after = rowOf({
    dimensions: 1024,
    takes_dimensions: true,
    deprecated_on: "2026-06-01",
    widths: [256, 512],
  });
  const readAgain = [{ url: "https://vendor.example/models", read_on: "2026-02-02" }];

  expect(differencesOf(catalogueOf(before), catalogueOf(after))).toEqual([
    "~ vendor small: dimensions 512 -> 1024; successor large -> none; takes_dimensions none -> true; deprecated_on none -> 2026-06-01",
  ]);
  expect(differencesOf(catalogueOf(before), catalogueOf({ ...before, sources: readAgain }))).toEqual([]);
});

test("of prices, only the rates that changed are told", () => {
  const cached = (usd: number) => perMillion(usd, { variant: { cached: true } });
  const before = rowOf({ prices: [perMillion(5), cached(1), perMillion(9, { billable: "input_image" })] });
  const after = rowOf({ prices: [perMillion(5), cached(2), perMillion(8, { billable: "output_text" })] });

  expect(differencesOf(catalogueOf(before), catalogueOf(after))).toEqual([
    "~ vendor small: input_text token cached $1 per 1000000 -> $2 per 1000000; input_image token $9 per 1000000 -> none; output_text token none -> $8 per 1000000",
  ]);
  expect(differencesOf(catalogueOf(rowOf({})), catalogueOf(rowOf({ prices: [perMillion(5)] })))).toEqual([
    "~ vendor small: input_text token none -> $5 per 1000000",
  ]);
  expect(differencesOf(catalogueOf(rowOf({ prices: [perMillion(5)] })), catalogueOf(rowOf({})))).toEqual([
    "~ vendor small: input_text token $5 per 1000000 -> none",
  ]);
});

test("a line tells each family whose facts were added or changed", () => {
  const catalogueWith = (...families: CatalogueFamily[]) =>
    new Catalogue({ date: "2026-01-01", providers: {}, models: [], families });
  const family = { provider: "vendor", models: ["v(1+)-*", "one"], limits: { max_tokens: 10 }, sources };

  const larger = { ...family, limits: { max_tokens: 20 } };
  const added = { ...family, models: ["other"] };

  expect(differencesOf(catalogueWith(family), catalogueWith(larger, added))).toEqual([
    '~ vendor v(1+)-*, one: limits {"max_tokens":10} -> {"max_tokens":20}',
    "+ vendor other: facts of a family",
  ]);
});
