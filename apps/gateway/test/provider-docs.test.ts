import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { profileOf } from "../src/config/models/provider-traits.js";
import { load } from "../src/config/test/load-text.js";
import type { Provider } from "../src/providers/provider.js";
import { providers } from "../src/providers/registry.js";

const folder = new URL("../../docs/upstreams/", import.meta.url);

test("the table of providers is what the registry declares", async () => {
  await expect(page()).toMatchFileSnapshot(new URL("providers.md", folder).pathname);
});

test("the page on adding a provider shows the real file of one", () => {
  const text = readFileSync(new URL("add-a-provider.md", folder), "utf8");
  const file = readFileSync(new URL("../src/providers/mistral/mistral.ts", import.meta.url), "utf8");

  expect(text).toContain(`\`\`\`ts\n${file}\`\`\``);
});

test.each(providers.map(({ name }) => name))("%s has a page with a configuration that works", (name) => {
  const text = readFileSync(new URL(`${pageOf(name)}.md`, folder), "utf8");
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const variables = [...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, variable = ""]) => [variable, "a-secret"]);

  const config = load(yaml, Object.fromEntries(variables));

  expect([...config.upstreams.values()].map(({ provider }) => provider)).toContain(name);
});

function page(): string {
  return `# Providers

What each provider can do, by example models. [Add a provider](add-a-provider.md) explains how they are made.

## Embeddings

${table(embeddingColumns, providers.flatMap(embeddingRows))}
\`maxInputs\`, \`maxTokensPerRequest\` and \`maxCharactersPerRequest\` on a target change the limits of a call.

## Images

${table(imageColumns, providers.flatMap(imageRows))}
Sizes and all other options of a model are in \`GET /v1/models/{model}\`.
`;
}

const embeddingColumns = [
  "Provider",
  "Model",
  "Inputs a call",
  "Tokens a call",
  "Tokens a text",
  "Width",
  "Input types",
  "A text that is too long",
];

function embeddingRows({ name, embeddings, examples }: Provider): string[][] {
  return (examples.embeddings ?? []).flatMap((model) => {
    const traits = embeddings?.(model);
    if (traits === undefined) return [];
    const { widths, dimensions, inputTypes, tooLong } = traits;
    return [
      [
        link(name),
        model,
        numberOr(traits.maxInputs, "the model's"),
        numberOr(traits.maxTokensPerRequest, "300,000"),
        numberOr(traits.maxTokens, "not declared"),
        dimensions === "emulate" ? "shortened by the gateway" : (widths?.join(", ") ?? "any"),
        inputTypes === undefined ? "none" : [...inputTypes.keys()].join(", "),
        { refused: "refused", counted: "counted and refused", unknown: "depends on the server" }[tooLong],
      ],
    ];
  });
}

const imageColumns = ["Provider", "Model", "Profile", "Edits", "Mask", "Images a call"];

function imageRows({ name, images, examples }: Provider): string[][] {
  return (examples.images ?? []).flatMap((model) => {
    const traits = images?.(model);
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

/** The address of a page in the site is its file's name, and the group of the Azure operations has `azure` already. */
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
