import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import type { CatalogueFamily, CatalogueRow } from "@model-gateway/catalogue/catalogue-file";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import { findProvider } from "@model-gateway/providers/registry";
import { expect, test } from "vitest";

const writePage = "Run in apps/gateway: npx vitest run test/repository/facts-page.test.ts -u";
const catalogue = builtInCatalogue();

test("the page of facts is that of the catalogue", async () => {
  const file = new URL("../../../docs/upstreams/facts.md", import.meta.url);

  await expect(page(), writePage).toMatchFileSnapshot(file.pathname);
});

test("every fact of the catalogue is shown", () => {
  const unshown = [...catalogue.rows, ...catalogue.families].filter(
    (entry) => Object.keys(factsIn(entry)).length > 0 && describe(factsIn(entry)) === "",
  );

  expect(unshown).toEqual([]);
});

/** The keys of an entry that say nothing of what a model can do. */
const others = new Set([
  ...["provider", "model", "models", "id", "kind", "regions", "prices", "sources"],
  ...["deprecated_on", "shutdown_on", "successor"],
]);

function factsIn(entry: CatalogueRow | CatalogueFamily): ModelFacts {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !others.has(key)));
}

function describe(facts: ModelFacts): string {
  const { limits = {}, modalities = [], widths, options = {}, input_types: types } = facts;
  const { variant, profile, dimensions, unit_vectors: length, space, truncation, tokenizer } = facts;
  const shown = [
    dimensions && `${number(dimensions)} wide`,
    widths && `widths ${widths.join(", ")}`,
    facts.matryoshka && "may be shortened",
    facts.takes_dimensions === false && "takes no width",
    facts.takes_dimensions === true && "takes a width",
    limits.max_tokens && `${number(limits.max_tokens)} tokens`,
    limits.max_inputs && `${limits.max_inputs} inputs a call`,
    limits.max_tokens_per_call && `${number(limits.max_tokens_per_call)} tokens a call`,
    modalities.length > 0 && modalities.map(({ type }) => type).join(" and "),
    facts.output_dtypes?.join(", "),
    types &&
      `input types ${Object.keys(types).slice(0, 5).join(", ")}${Object.keys(types).length > 5 ? " …" : ""}`,
    facts.input_type_required && "needs an input type",
    truncation && `long texts ${truncation}`,
    length && `length 1 ${length}`,
    tokenizer,
    space && `space ${space}`,
    variant && `form ${variant}`,
    profile && `profile ${profile}`,
    ...describeOptions(options),
    facts.fields &&
      `fields ${Object.values(facts.fields)
        .filter((one) => typeof one === "string")
        .join(", ")}`,
  ];
  return shown.filter(Boolean).join("; ");
}

function describeOptions(options: NonNullable<ModelFacts["options"]>): (string | false | undefined)[] {
  const { sizes, sides, area, edits, only_edits, mask, max_images, max_n, max_prompt_length } = options;
  return [
    options.parameters && `takes ${options.parameters.join(", ")}`,
    sizes && (sizes.length > 3 ? `${sizes.length} sizes` : `sizes ${sizes.join(", ")}`),
    sides && `sides ${sides.min} to ${sides.max}`,
    area && `${number(area.pixels_min)} to ${number(area.pixels_max)} pixels`,
    options.qualities && `qualities ${options.qualities.join(", ")}`,
    options.output_formats?.join(", "),
    edits && (only_edits ? "only edits" : "edits"),
    max_images !== undefined && `${max_images} images an edit`,
    mask && mask !== "none" && "masks",
    max_n !== undefined && `${max_n} images a call`,
    max_prompt_length !== undefined && `prompts of ${number(max_prompt_length)} characters`,
  ];
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}

function originOf({ sources }: CatalogueRow | CatalogueFamily): string {
  const pages = new Map(sources.map(({ url, read_on }) => [url, read_on]));
  if (pages.size === 0) return "no page recorded";
  return [...pages].map(([url, day]) => `[${new URL(url).hostname}](${url}), ${day}`).join("; ");
}

function rowsOf(provider: string): string[] {
  const families = catalogue.families.filter((one) => one.provider === provider);
  const models = catalogue.rows.filter((one) => one.provider === provider && one.shutdown_on === undefined);
  return [
    ...models.map((row) => {
      const { facts = {} } = catalogue.traitsOf({ provider, model: row.model }) ?? {};
      return line(`\`${row.model}\``, describe(facts), originOf(row));
    }),
    ...families.map((family) =>
      line(family.models.map((one) => `\`${one}\``).join(", "), describe(factsIn(family)), originOf(family)),
    ),
  ];
}

function line(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell || "those of its provider").join(" | ")} |`;
}

function page(): string {
  const providers = [...new Set([...catalogue.rows, ...catalogue.families].map((one) => one.provider))];
  const tables = providers.map((provider) => {
    const title = findProvider(provider)?.title ?? provider;
    return `## ${title}\n\n| Models | Facts | Read at, and on |\n| --- | --- | --- |\n${rowsOf(provider).join("\n")}\n`;
  });
  return `# Facts about models

The facts of the gateway's catalogue of ${catalogue.date} about vendors' models. A test writes this page. [The model catalog](../guides/model-catalog.md#facts-about-models) explains which facts hold for a model, and [Prices](../guides/prices.md) has the rules for evidence. The facts in the line of a model come before those of the first pattern that it fits; a number such as \`(4+)\` also fits later generations, whose facts are assumed. Everything else is that of its [provider](providers.md).

${tables.join("\n")}`;
}
