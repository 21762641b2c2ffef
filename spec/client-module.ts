import { readFileSync } from "node:fs";
import type { ClientMethod } from "./client-method.js";
import type { DescribedMethod } from "./client-methods.js";

const note = "// Written by `pnpm generate` from openapi.yaml. Do not edit.\n\n";

type Methods = ReadonlyMap<string, DescribedMethod>;

/** The table that the client runs. */
export function clientMethodTable(methods: Methods): string {
  const lines = [...methods].map(([name, method]) => `  ${name}: ${literal(runFacts(method))},\n`);
  return `${note}export const clientMethods = {\n${lines.join("")}};\n`;
}

function runFacts({
  tag,
  summary,
  description,
  isDeprecated,
  bodies,
  ...facts
}: DescribedMethod): ClientMethod {
  return facts;
}

/** The types of the table. Editors show the comment of a method. */
export function clientMethodTypes(methods: Methods): string {
  const members = [...methods].map(([name, method]) => {
    const { operation, returns } = method;
    const facts = [`operation: "${operation}"`, `returns: "${returns}"`, `takes: [${argumentsOf(method)}]`];
    return `${comment(method)}  ${name}: { ${facts.join("; ")} };\n`;
  });
  return `${note}import type { components, operations } from "./types.js";

/** The methods of the client by name: the operation, the arguments before the options, and the form of the result. */
export interface ClientMethods {
${members.join("")}}

${methodType}
export declare const clientMethods: { readonly [Name in keyof ClientMethods]: ClientMethod };
`;
}

const methodType = readFileSync(new URL("client-method.d.ts", import.meta.url), "utf8");

/** The list of methods in the README of the client. */
export function clientMethodList(methods: Methods, tags: readonly Tag[]): string {
  const displayed = new Map(tags.map(({ name, "x-displayName": shown = name }) => [name, shown]));
  const rows = [...methods].map(
    ([name, { tag, takes, summary }]) =>
      `| ${displayed.get(tag)} | \`${name}(${takes.map(camelCase).join(", ")})\` | ${summary} |\n`,
  );
  return `| | method | |\n| --- | --- | --- |\n${rows.join("")}`;
}

interface Tag {
  readonly name: string;
  readonly "x-displayName"?: string;
}

/** With a label for each argument: editors show it. */
function argumentsOf({ operation, takes, bodies }: DescribedMethod): string {
  const parameters = `operations["${operation}"]["parameters"]`;
  const types = takes.map((name) => {
    if (name === "query") return `query?: ${parameters}["query"]`;
    if (name !== "body") return `${camelCase(name)}: ${parameters}["path"]["${name}"]`;
    return `body: ${bodies.map((schema) => `components["schemas"]["${schema}"]`).join(" | ")}`;
  });
  return types.join(", ");
}

function comment({ description, isDeprecated, keys }: DescribedMethod): string {
  const needs = keys.length === 1 && keys[0] === "adminKey" ? " Needs `adminKey`." : "";
  const lines = [...wrapped(`${description}${needs}`), ...(isDeprecated ? ["@deprecated"] : [])];
  if (lines.length === 1) return `  /** ${lines[0]} */\n`;
  return `  /**\n${lines.map((line) => `   * ${line}\n`).join("")}   */\n`;
}

/** The lines of a text, with at most about 110 letters each. */
function wrapped(text: string): string[] {
  return text.replace(/\s+/g, " ").match(/\S.{0,110}(?=\s|$)/g) ?? [];
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A value as JavaScript, in one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, inner]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${literal(inner)}`,
  );
  return `{ ${entries.join(", ")} }`;
}
