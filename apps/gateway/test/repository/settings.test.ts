import { readdirSync, readFileSync } from "node:fs";
import { helpText } from "@model-gateway/cli/help";
import { overrides } from "@model-gateway/config/overrides";
import { configSchema } from "@model-gateway/config/schema/schema";
import { expect, test } from "vitest";
import { z } from "zod";

const docs = new URL("../../../docs/", import.meta.url);
const guide = readFileSync(new URL("guides/configuration.md", docs), "utf8");
const texts = ["guides/", "upstreams/"].flatMap((folder) =>
  readdirSync(new URL(folder, docs))
    .filter((file) => file.endsWith(".md"))
    .map((file) => readFileSync(new URL(`${folder}${file}`, docs), "utf8")),
);
const schema = z.toJSONSchema(configSchema, { io: "input" });

test("a guide or the page of a provider explains every setting", () => {
  const unexplained = settingsOf(schema, "").filter((path) => {
    const name = path.slice(path.lastIndexOf(".") + 1);
    return !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  });

  expect(unexplained, "write a line into apps/docs/guides/configuration.md for each").toEqual([]);
});

test.each(Object.entries(overrides))("the help, the guide and the schema name %s", (variable, key) => {
  const { description } = (schema.properties?.[key] ?? {}) as { description?: string };

  expect(helpText(), "the text of --help in apps/cli/src/help.ts").toMatch(new RegExp(`\\b${variable}\\b`));
  expect(guide, "apps/docs/guides/configuration.md").toContain(`| \`${variable}\``);
  expect(description, `the description of ${key}`).toContain(`${variable} overrides it`);
});

/** The path of every key in a JSON Schema. A list and a name that an operator chooses are one step each. */
function settingsOf(node: unknown, path: string): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => settingsOf(one, path));
  if (typeof node !== "object" || node === null) return [];
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf,
    oneOf,
    allOf,
  } = node as Record<string, object>;
  const here = Object.entries(properties).flatMap(([name, inner]) => {
    const below = path === "" ? name : `${path}.${name}`;
    return [below, ...settingsOf(inner, below)];
  });
  return [
    ...here,
    ...settingsOf([anyOf, oneOf, allOf].flat(), path),
    ...settingsOf(items, `${path}[]`),
    ...settingsOf(additionalProperties, `${path}.*`),
  ];
}
