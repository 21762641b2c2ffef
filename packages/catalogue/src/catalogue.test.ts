import { describe, expect, test } from "vitest";
import { builtInCatalogue, Catalogue, type ModelPlace } from "./catalogue.js";
import builtIn from "./catalogue.json" with { type: "json" };
import type { CatalogueRow } from "./catalogue-file.js";
import { parseCatalogue } from "./open-catalogue.js";
import { priceOfRates, ratesOfPrice } from "./rates.js";

const catalogue = builtInCatalogue();

test("the built-in file is a catalogue as it is: a start uses it unchecked", () => {
  // A fault is one sentence, with the row and the field.
  const parsed = parseCatalogue(JSON.stringify(builtIn));
  expect([parsed.rows, parsed.families]).toEqual([builtIn.models, builtIn.families]);
  expect(catalogue.rows).toEqual(builtIn.models);
});

test("every page was read on a day that has been, not later than the catalogue, and not before its date", () => {
  const later = catalogue.rows.filter(({ sources }) =>
    sources.some(({ read_on, dated = read_on }) => read_on > catalogue.date || dated > read_on),
  );

  expect(later).toEqual([]);
  expect(Date.parse(catalogue.date)).toBeLessThan(Date.now());
});

test("a successor is a model of the catalogue that has no end", () => {
  const unknown = catalogue.rows.filter(({ provider, successor }) => {
    const next = successor === undefined ? undefined : catalogue.find({ provider, model: successor });
    return successor !== undefined && (next === undefined || next.shutdown_on !== undefined);
  });

  expect(unknown).toEqual([]);
});

test("a price holds only for the hosts of its vendor", () => {
  const priceAt = (baseUrl: string, provider = "openai") =>
    catalogue.priceOf({ provider, baseUrl, model: "text-embedding-3-small" });

  expect(priceAt("https://api.openai.com/v1")).toEqual({ perMillionTokens: 0.02 });
  expect(priceAt("https://api.openai.com/v1", "openai-compatible")).toEqual({ perMillionTokens: 0.02 });
  expect(priceAt("http://127.0.0.1:9000/v1")).toBeUndefined();
  expect(priceAt("https://api.openai.com.example.org/v1")).toBeUndefined();
});

test("a price may hold for all regions of a host", () => {
  const priceAt = (host: string) =>
    catalogue.priceOf({ provider: "bfl", baseUrl: `https://${host}/v1`, model: "flux-pro-1.1" });

  expect(priceAt("api.eu.bfl.ai")).toEqual({ perImage: 0.04 });
  expect(priceAt("api.bfl.ai")).toEqual({ perImage: 0.04 });
  expect(priceAt("api.bfl.ai.example.org")).toBeUndefined();
});

test("the end of a model holds for its provider at any address", () => {
  const place = { provider: "openai", baseUrl: "https://proxy.internal/v1", model: "gpt-image-1.5" };

  expect(catalogue.factsOf(place)).toMatchObject({
    end: {
      shutdownOn: "2026-12-01",
      deprecatedOn: "2026-06-02",
      successor: "gpt-image-2.5-sunburst",
    },
  });
});

test("every list of rates is one price, and the price is the same list", () => {
  for (const { provider, model, kind, prices } of catalogue.rows) {
    if (prices === undefined) continue;
    const price = priceOfRates(prices, kind);

    const rates = price && ratesOfPrice(price);
    expect(rates, `${provider} ${model}`).toHaveLength(prices.length);
    expect(rates).toEqual(expect.arrayContaining([...prices]));
  }
});

const rowOf = (fields: Partial<CatalogueRow>): CatalogueRow => ({
  provider: "vendor",
  model: "small",
  kind: "embedding",
  sources: [],
  ...fields,
});
const prices: CatalogueRow["prices"] = [{ billable: "input_text", unit: "token", usd: 0.1, per: 1_000_000 }];
const oneVendor = (...models: CatalogueRow[]) =>
  new Catalogue({
    date: "2026-01-01",
    providers: { vendor: { hosts: ["api.vendor.example"], pages: ["vendor.example"] } },
    models,
    families: [],
  });

test("a model is found by its provider, or by the host where any client calls it", () => {
  const row = rowOf({});
  const found = (place: Partial<ModelPlace>) =>
    oneVendor(row).find({ provider: "openai-compatible", model: "small", ...place });

  expect(found({ provider: "vendor" })).toBe(row);
  expect(found({ baseUrl: "https://api.vendor.example/v1" })).toBe(row);
  expect(found({ baseUrl: "https://other.example/v1" })).toBeUndefined();
  expect(found({ baseUrl: "https://api.vendor.example/v1", model: "large" })).toBeUndefined();
  expect(found({})).toBeUndefined();
});

test("a target takes over the list price and the end of its model", () => {
  const place = { provider: "vendor", baseUrl: "https://api.vendor.example/v1", model: "small" };
  const factsOf = (fields: Partial<CatalogueRow>, at: Partial<ModelPlace> = {}) => {
    const { factsFrom: _from, ...facts } = oneVendor(rowOf(fields)).factsOf({ ...place, ...at });
    return facts;
  };
  const price = { perMillionTokens: 0.1 };

  expect(factsOf({ prices })).toEqual({ price, isListPrice: true });
  expect(factsOf({ prices, shutdown_on: "2027-01-01" })).toEqual({
    price,
    isListPrice: true,
    end: { shutdownOn: "2027-01-01" },
  });
  expect(factsOf({ deprecated_on: "2026-01-01", successor: "large" })).toEqual({});
  expect(factsOf({ prices }, { baseUrl: "https://proxy.example/v1" })).toEqual({});
  expect(factsOf({ prices }, { baseUrl: undefined })).toEqual({});
  expect(factsOf({ prices }, { model: "none" })).toEqual({});
});

describe("the facts of a model", () => {
  const sources = [
    { url: "https://vendor.example/models", facts: ["traits" as const], read_on: "2026-01-01" },
  ];
  const family = (...models: string[]) => ({ provider: "vendor", models, sources });
  const vendor = new Catalogue({
    date: "2026-01-01",
    providers: { vendor: { hosts: ["api.vendor.example"], pages: ["vendor.example"] } },
    models: [
      rowOf({ model: "embed-v2-small", dimensions: 512, limits: { max_inputs: 4 } }),
      rowOf({ model: "embed-v3-priced", prices }),
    ],
    families: [
      { ...family("embed-v(2+)-*"), widths: [256, 512], limits: { max_tokens: 100 }, space: "two" },
      { ...family("*"), limits: { max_tokens: 50 } },
    ],
  });
  const pages = [{ url: "https://vendor.example/models", readOn: "2026-01-01", facts: ["traits"] }];
  const known = (model: string, knownAs?: string) => vendor.traitsOf({ provider: "vendor", model, knownAs });

  test("are those of the first family that fits its name", () => {
    expect(known("embed-v2-large")).toEqual({
      facts: { widths: [256, 512], limits: { max_tokens: 100 }, space: "two" },
      factsFrom: { entry: "embed-v(2+)-*", state: "known", pages },
    });
  });

  test("are those of its row before others", () => {
    expect(known("embed-v2-small")).toEqual({
      facts: {
        dimensions: 512,
        widths: [256, 512],
        limits: { max_tokens: 100, max_inputs: 4 },
        space: "two",
      },
      factsFrom: { entry: "embed-v2-small", state: "known", pages },
    });
  });

  test("of a later generation are assumed, but not that it shares a space", () => {
    const assumed = { facts: { widths: [256, 512], limits: { max_tokens: 100 } } };

    expect(known("embed-v9-small")).toMatchObject({ ...assumed, factsFrom: { state: "assumed" } });
    expect(known("embed-v9-small")?.facts?.space).toBeUndefined();
    // A price says nothing about what it can do.
    expect(known("embed-v3-priced")).toMatchObject({ ...assumed, factsFrom: { state: "assumed" } });
  });

  test("of any other name are assumed, and there are none at another provider", () => {
    expect(known("other")).toMatchObject({
      facts: { limits: { max_tokens: 50 } },
      factsFrom: { state: "assumed" },
    });
    expect(vendor.traitsOf({ provider: "openai-compatible", model: "other" })).toBeUndefined();
  });

  test("may be those of a model that the operator has named", () => {
    expect(known("my-profile", "embed-v2-small")).toMatchObject({
      facts: { dimensions: 512 },
      factsFrom: { entry: "embed-v2-small", state: "known" },
    });
  });
});

test("current models have no successor and no end", () => {
  const current = rowOf({ model: "current" });
  const catalogue = oneVendor(
    current,
    rowOf({ model: "old", successor: "current" }),
    rowOf({ model: "ending", shutdown_on: "2027-01-01" }),
    rowOf({ model: "image", kind: "image" }),
    rowOf({ model: "other", provider: "other" }),
  );

  expect(catalogue.currentModels("vendor", "embedding")).toEqual([current]);
});
