import { mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInCatalogue } from "./catalogue.js";
import { catalogueBytesMax, catalogueFileIn, openCatalogue } from "./open-catalogue.js";

const row = {
  provider: "openai",
  model: "gpt-image-9",
  kind: "image",
  sources: [{ url: "https://openai.com/pricing", read_on: "2026-01-01" }],
};
const sourceAt = (url: string) => [{ url, read_on: "2026-01-01" }];
const providers = { openai: { hosts: ["api.openai.com"], pages: ["openai.com", "github.com/openai"] } };

/** A data folder with this catalogue. */
function folderWith(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "catalogue-"));
  writeFileSync(catalogueFileIn(folder), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}

function warningOf(content: unknown): string {
  const { catalogue, warnings } = openCatalogue(folderWith(content));
  expect(catalogue.date).toBe(builtInCatalogue().date);
  return warnings.join();
}

test("a later catalogue of the data folder replaces the built-in one, and an earlier one does not", () => {
  const dateOf = (date: string) =>
    openCatalogue(folderWith({ date, providers, families: [], models: [row] })).catalogue;

  expect(dateOf("2099-01-01").rows.map(({ model }) => model)).toEqual(["gpt-image-9"]);
  expect(dateOf("2020-01-01").date).toBe(builtInCatalogue().date);
});

test("a data folder without a catalogue has the built-in one", () => {
  const { catalogue, warnings } = openCatalogue("/none");

  expect(catalogue.rows).toEqual(builtInCatalogue().rows);
  expect(warnings).toEqual([]);
});

test.each([
  ["{", "It is not JSON."],
  [{}, "date"],
  [{ date: "2099-02-30", providers, families: [], models: [] }, "date: must be a date"],
  [
    { date: "2099-01-01", providers: {}, families: [], models: [row] },
    'models.0.provider: has no entry "openai" in providers: its hosts and pages',
  ],
  [{ date: "2099-01-01", providers, families: [], models: [row, row] }, "models.1.model: is listed twice"],
  [
    {
      date: "2099-01-01",
      providers,
      families: [],
      models: [{ ...row, sources: sourceAt("https://blog.example/openai.com") }],
    },
    "models.0.sources: must be pages of the vendor",
  ],
  [
    {
      date: "2099-01-01",
      providers,
      families: [],
      models: [{ ...row, sources: sourceAt("https://github.com/openai-fan") }],
    },
    "models.0.sources: must be pages of the vendor",
  ],
  [
    { date: "2099-01-01", providers, families: [], models: [{ ...row, sources: sourceAt("https://") }] },
    "models.0.sources.0.url",
  ],
  [
    {
      date: "2099-01-01",
      providers,
      families: [],
      models: [{ ...row, sources: sourceAt("http://openai.com/pricing") }],
    },
    "models.0.sources.0",
  ],
  [
    {
      date: "2099-01-01",
      providers,
      families: [],
      models: [{ ...row, dimensions: 8, shutdown_on: "2099-02-01" }],
    },
    "models.0.sources: must include a page for: widths, end",
  ],
  [
    {
      date: "2099-01-01",
      providers,
      families: [],
      models: [
        {
          ...row,
          dimensions: 8,
          sources: [{ ...row.sources[0], facts: ["widths"], quoted_by: "https://blog.example/widths" }],
        },
      ],
    },
    "models.0.sources: may be quoted only for ends and prices",
  ],
  [
    {
      date: "2099-01-01",
      providers,
      families: [],
      models: [
        {
          ...row,
          prices: [{ billable: "output_image", unit: "image", usd: 1 }],
          sources: [{ ...row.sources[0], facts: ["prices"], quoted_by: "https://blog.example/prices" }],
        },
      ],
    },
    "models.0.sources: must quote a price twice",
  ],
  [
    {
      date: "2099-01-01",
      providers,
      families: [],
      models: [{ ...row, prices: [{ billable: "output_image", unit: "image", usd: -1 }] }],
    },
    "models.0.prices.0.usd",
  ],
])("a file with %j is left out, and a warning names the fault", (content, fault) => {
  expect(warningOf(content)).toContain(fault);
});

test("a file that is too large is not read", () => {
  const folder = folderWith("");
  truncateSync(catalogueFileIn(folder), catalogueBytesMax + 1);

  expect(openCatalogue(folder).warnings).toEqual([
    `${catalogueFileIn(folder)} is not used. It is too large for a catalogue.`,
  ]);
});

test("a warning quotes a long key in part", () => {
  const folder = folderWith({
    date: "2099-01-01",
    providers,
    families: [],
    models: [],
    ["k".repeat(100_000)]: 1,
  });

  const [warning = ""] = openCatalogue(folder).warnings;

  expect(warning).toContain("kkk");
  expect(warning.length).toBeLessThan(1000);
});
