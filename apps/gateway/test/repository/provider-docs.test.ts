import { existsSync, readFileSync } from "node:fs";
import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import type { Config } from "@model-gateway/config/config";
import { profileOf } from "@model-gateway/config/kinds/image/resolve";
import { allKinds } from "@model-gateway/config/kinds/kinds";
import { modelAt } from "@model-gateway/config/models/model-at";
import { offeredModels } from "@model-gateway/config/models/offered-models";
import { load } from "@model-gateway/config/test/load-text";
import { defaultInputImageLimits } from "@model-gateway/domain/content-input";
import { imageOperationsOf } from "@model-gateway/domain/image-profile";
import type { ModelType } from "@model-gateway/domain/operations";
import type { ModelAt, Provider } from "@model-gateway/providers/provider";
import { openUpstream, providers } from "@model-gateway/providers/registry";
import { providerTools } from "@model-gateway/providers/test/tools";
import type { EmbeddingTraits } from "@model-gateway/providers/traits";
import { describe, expect, test } from "vitest";

const folder = new URL("../../../docs/upstreams/", import.meta.url);

const catalogue = builtInCatalogue();

const writeTable = "Run in apps/gateway: npx vitest run test/repository/provider-docs.test.ts -u";

test("the table of providers matches the registry", async () => {
  await expect(page(), writeTable).toMatchFileSnapshot(new URL("providers.md", folder).pathname);
});

test("the page on adding a provider shows the real file of one", () => {
  const text = readFileSync(new URL("add-a-provider.md", folder), "utf8");
  const file = readFileSync(
    new URL("../../../../packages/providers/src/mistral/mistral.ts", import.meta.url),
    "utf8",
  );

  expect(text).toContain(`\`\`\`ts\n${file}\`\`\``);
});

describe.each(providers)("$name", (provider) => {
  const { name, title, embeddings, images } = provider;
  const file = `${pageOf(name)}.md`;

  test("has a page with its title and a configuration that works", () => {
    const text = readPage(file);

    expect(text.split("\n", 1), `the first line of apps/docs/upstreams/${file}`).toEqual([`# ${title}`]);
    const used = [...configOf(text).upstreams.values()].map((upstream) => upstream.provider);
    expect(used, `the providers in the first yaml block of ${file}`).toContain(name);
  });

  test("has an example of each model type that it declares, so that the table has a row for it", () => {
    const shown = allKinds.filter(({ type }) => shownModels(provider, type).length > 0);

    expect(shown, `models of the provider ${name} in catalogue.json`).toEqual(
      allKinds.filter(({ trait }) => provider[trait] !== undefined),
    );
  });

  test("has the operations that its rows name, and no other", async () => {
    const upstream = [...configOf(readPage(file)).upstreams.values()].find((one) => one.provider === name);
    if (upstream === undefined) throw new Error(`The first yaml block of ${file} has no ${name}.`);
    const profiles = shownModels(provider, "image").map((model) =>
      profileOf(images?.(at(provider, model, "image"))),
    );
    const traits = shownModels(provider, "embedding").flatMap(
      (model) => embeddings?.(at(provider, model, "embedding")) ?? [],
    );
    const shown = [
      ...(embeddings ? ["createEmbedding"] : []),
      ...(traits.some(takesImages) ? ["createContentEmbedding"] : []),
      ...profiles.flatMap(imageOperationsOf),
    ];

    const { operations, close } = await openUpstream(upstream, providerTools());
    await close();

    expect(
      new Set(Object.keys(operations)),
      "its operations, and those of its rows; a new kind of model adds its own to `shown`",
    ).toEqual(new Set(shown));
  });

  test("is named in the README, by its title", () => {
    const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");

    const isNamed = readme.replaceAll(/\s+/g, " ").toLowerCase().includes(title.toLowerCase());
    expect(isNamed, `add "${title}" to the list of providers in README.md`).toBe(true);
  });
});

/** Whether inputs may have images: by themselves, or where the operator says so. */
function takesImages({ inputImages, targetKeys = [] }: EmbeddingTraits): boolean {
  return inputImages !== undefined || targetKeys.includes("inputImages");
}

/** The provider's current models, or else its own words for them. */
function shownModels({ name, examples }: Provider, type: ModelType): readonly string[] {
  const current = catalogue.currentModels(name, type).map(({ model }) => model);
  const kind = allKinds.find((one) => one.type === type);
  return current.length > 0 ? current : ((kind && examples?.[kind.trait]) ?? []);
}

function at(provider: Provider, name: string, type: ModelType): ModelAt {
  return modelAt(provider, { name, type }, catalogue);
}

/** Models in the gateway's own process have no API that a server could fake. */
const remote = providers.filter(({ name }) => name !== "local");

test.each(remote)(
  "$name is in the tables of test/in-process/providers/README.md",
  ({ name, embeddings, images }) => {
    const tables = readFileSync(new URL("../in-process/providers/README.md", import.meta.url), "utf8");
    const [, ofEmbeddings = "", ofImages = ""] = tables.split(/^## /m);
    const row = new RegExp(`^\\| ${name}[ ,]`, "m");

    const rows = { embeddings: row.test(ofEmbeddings), images: row.test(ofImages) };
    expect(rows, "a row in each table of test/in-process/providers/README.md that it belongs to").toEqual({
      embeddings: embeddings !== undefined,
      images: images !== undefined,
    });
  },
);

function readPage(file: string): string {
  const url = new URL(file, folder);
  if (!existsSync(url))
    throw new Error(
      `Write apps/docs/upstreams/${file}: every provider has a page with a whole configuration.`,
    );
  return readFileSync(url, "utf8");
}

/** The first configuration of a page. Its variables have values. */
function configOf(text: string): Config {
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const variables = [...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, variable = ""]) => [variable, "a-secret"]);
  return load(yaml, Object.fromEntries(variables));
}

function page(): string {
  return `# Providers

The capabilities of each provider, shown for its current models in the [catalogue](../guides/prices.md). [Add a provider](add-a-provider.md) explains how to write one.

## Embeddings

${table(embeddingColumns, providers.flatMap(embeddingRows))}
\`maxInputs\`, \`maxTokensPerRequest\` and \`maxCharactersPerRequest\` on a target change the limits of a call. Where a provider takes one input in a call, a larger \`maxInputs\` is an error of the configuration.

## Images

${table(imageColumns, providers.flatMap(imageRows))}
A request may ask for more images than one call returns, and for a stream from a model that cannot stream: the gateway makes several calls, or sends the events itself. \`GET /v1/models/{model}\` has the sizes and all other options of a model.

## Detection

A gateway [without a configuration file](../guides/configuration.md#without-a-file) adds an upstream for each row whose variables are set. Variables in brackets are optional. Any \`NAME\` may be the file \`NAME_FILE\`, except the credentials of AWS. Models of a cloud depend on the region: this table has those of \`europe-west4\` and \`us-west-2\`.

${table(["Provider", "Variables", "Models"], providers.flatMap(environmentRows))}
It also looks for these servers on this machine, at \`127.0.0.1\` and \`::1\`:

${table(["Provider", "Server", "Port", "List"], providers.flatMap(serverRows))}`;
}

/** A row for each provider and preset: locations and regions may add models, so those of an example are shown. */
function environmentRows(provider: Provider): string[][] {
  const presets = (provider.presets ?? []).flatMap((preset) =>
    environmentRow({ ...provider, ...preset }, "openai-compatible-servers"),
  );
  return [...environmentRow(provider, pageOf(provider.name)), ...presets];
}

function environmentRow(provider: Provider, page: string): string[][] {
  const { name, environment } = provider;
  if (environment === undefined) return [];
  const { settings, credentials = [] } = environment;
  const listed = Object.values(settings).map(({ variables, isRequired }) => {
    const names = variables.map((variable) => `\`${variable}\``).join(" or ");
    return isRequired ? names : `(${names})`;
  });
  const groups = credentials.map((group) => group.map((variable) => `\`${variable}\``).join(" with "));
  const place = { region: name === "vertex" ? "europe-west4" : "us-west-2" };
  const offered = Object.values(offeredModels(provider, catalogue, place));
  if (offered.length === 0) return [];
  return [
    [
      `[${name}](${page}.md)`,
      [...listed, ...(groups.length === 0 ? [] : [groups.join(" or ")])].join(", "),
      offered.flatMap((ids) => Object.keys(ids).map((id) => `\`${id}\``)).join(", "),
    ],
  ];
}

function serverRows({ name, servers = [] }: Provider): string[][] {
  return servers.map(({ title, port, listPath, address }) => [
    link(name),
    title,
    `${port}${address === undefined ? "" : `, or \`${address.variable}\``}`,
    `\`GET ${listPath}\``,
  ]);
}

const embeddingColumns = [
  "Provider",
  "Model",
  "Inputs a call",
  "Tokens",
  "Width",
  "Input types",
  "Images in an input",
  "A text that is too long",
];

function embeddingRows(provider: Provider): string[][] {
  const { name, embeddings } = provider;
  return shownModels(provider, "embedding").flatMap((model) => {
    const traits = embeddings?.(at(provider, model, "embedding"));
    if (traits === undefined) return [];
    const { widths, dimensions, inputTypes, tooLong } = traits;
    return [
      [
        link(name),
        model,
        numberOr(traits.maxInputs, "the model's"),
        tokensOf(traits),
        dimensions === "emulate" ? "shortened by the gateway" : (widths?.join(", ") ?? "any"),
        inputTypes === undefined ? "none" : [...inputTypes.keys()].join(", "),
        inputImagesOf(traits),
        { refused: "refused", counted: "counted and refused", unknown: "depends on the server" }[tooLong],
      ],
    ];
  });
}

function tokensOf({ maxTokensPerRequest, maxTokens }: EmbeddingTraits): string {
  const ofCall = `${numberOr(maxTokensPerRequest, "300,000")} a call`;
  return maxTokens === undefined ? ofCall : `${ofCall}, ${maxTokens.toLocaleString("en")} a text`;
}

function inputImagesOf(traits: EmbeddingTraits): string {
  if (traits.inputImages === undefined) return takesImages(traits) ? "as configured" : "none";
  const { mixesParts, maxImagesPerInput, imageTypes } = { ...defaultInputImageLimits, ...traits.inputImages };
  return `${maxImagesPerInput}${mixesParts ? " with texts" : ", or a text"}: ${imageTypes.join(", ")}`;
}

const imageColumns = ["Provider", "Model", "Profile", "Edits", "Mask", "Images a call", "Streams"];

function imageRows(provider: Provider): string[][] {
  const { name, images } = provider;
  return shownModels(provider, "image").flatMap((model) => {
    const traits = images?.(at(provider, model, "image"));
    if (traits === undefined) return [];
    const profile = profileOf(traits);
    return [
      [
        link(name),
        model,
        profile.name,
        profile.onlyEdits === true ? "only" : profile.edits ? "yes" : "no",
        traits.mask === undefined || !profile.mask ? "none" : maskForms[traits.mask],
        String(profile.maxN),
        profile.streaming ? "yes" : "no",
      ],
    ];
  });
}

const maskForms = {
  alpha: "transparent is edited",
  white: "white is edited",
  black: "black is edited",
  grey: "white is edited, greys in part",
};

function link(name: string): string {
  return `[${name}](${pageOf(name)}.md)`;
}

/** A page's address in the site is its file name, and the group of the Azure operations has `azure` already. */
function pageOf(name: string): string {
  return name === "azure" ? "azure-openai" : name;
}

function numberOr(number: number | undefined, otherwise: string): string {
  return number === undefined ? otherwise : number.toLocaleString("en-US");
}

function table(columns: readonly string[], rows: readonly string[][]): string {
  const lines = [columns, columns.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}
