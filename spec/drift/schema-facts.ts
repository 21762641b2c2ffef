import type { Facts, Kind } from "./facts.js";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** The facts of a schema in the bundled spec. */
export function schemaFacts(name: string, schemas: Schemas): Facts {
  const facts = new Set<string>();
  const visit = (given: Schema, path: string): void => {
    const branches = branchesOf(given, schemas);
    for (const { properties = {}, required = [], items } of branches) {
      for (const [property, inner] of Object.entries(properties)) {
        facts.add(path + property);
        if (required.includes(property)) facts.add(`${path}${property}/required`);
        visit(inner, `${path}${property}/`);
      }
      if (items === undefined) continue;
      facts.add(`${path}items`);
      visit(items, `${path}items/`);
    }
    for (const kind of branches.flatMap(kindsOf)) facts.add(`${path}is/${kind}`);
    if (branches.some(({ type }) => [type].flat().includes("null"))) facts.add(`${path}null`);
    for (const value of closedValues(branches)) facts.add(`${path}values`).add(`${path}values/${value}`);
  };
  visit({ $ref: `#/components/schemas/${name}` }, "");
  return facts;
}

function branchesOf(schema: Schema, schemas: Schemas): Schema[] {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) {
    const target = schemas[name];
    if (target === undefined) throw new Error(`The spec has no schema ${name}.`);
    return branchesOf(target, schemas);
  }
  const union = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return union.length === 0 ? [schema] : union.flatMap((branch) => branchesOf(branch, schemas));
}

const kinds: Readonly<Record<string, Kind>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  array: "list",
  object: "object",
};

function kindsOf({ type, format }: Schema): Kind[] {
  if (format === "binary") return ["file"];
  return [type].flat().flatMap((name) => kinds[name ?? ""] ?? []);
}

/** The texts that are allowed; none if any text is. */
function closedValues(branches: readonly Schema[]): string[] {
  const texts = branches.filter(({ type }) => [type].flat().includes("string"));
  const lists = texts.map((branch) => branch.enum ?? (branch.const === undefined ? [] : [branch.const]));
  if (lists.some((list) => list.length === 0)) return [];
  return lists.flat().filter((value) => typeof value === "string");
}
