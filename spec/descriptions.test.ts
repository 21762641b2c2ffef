import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const document: unknown = JSON.parse(
  readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8"),
);

test("every property of every schema has a description", () => {
  expect(undescribed(document)).toEqual([]);
});

test("a property without a description is found, even behind a reference", () => {
  const bare = { type: "string" };
  const described = { ...bare, description: "A name." };
  const schema = (properties: object) => ({ type: "object", properties });

  expect(undescribed({ Thing: schema({ name: bare, title: described }) })).toEqual(["/Thing/name"]);
  expect(
    undescribed({
      Bare: bare,
      Named: described,
      Thing: schema({ a: { $ref: "#/Bare" }, b: { $ref: "#/Named" } }),
    }),
  ).toEqual(["/Thing/a"]);
});

/** The properties without a description, each by its place in the document. */
function undescribed(root: unknown): string[] {
  const found: string[] = [];
  const visit = (node: unknown, place: string): void => {
    if (!isObject(node)) return;
    const { properties, ...others } = node;
    if (isObject(properties)) {
      for (const [name, property] of Object.entries(properties)) {
        if (!isDescribed(property, root)) found.push(`${place}/${name}`);
        visit(property, `${place}/${name}`);
      }
    }
    for (const [name, inner] of Object.entries(others))
      if (!holdsData.has(name)) visit(inner, `${place}/${name}`);
  };
  visit(root, "");
  return found;
}

/** Keywords whose values are data and not schemas. */
const holdsData = new Set(["example", "examples", "value", "default", "enum", "const"]);

function isDescribed(property: unknown, root: unknown): boolean {
  if (!isObject(property)) return false;
  if (typeof property.description === "string" && property.description !== "") return true;
  return typeof property.$ref === "string" && isDescribed(resolve(property.$ref, root), root);
}

function resolve(reference: string, root: unknown): unknown {
  return reference
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((node, step) => (isObject(node) ? node[step] : undefined), root);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
