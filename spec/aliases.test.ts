import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Operation {
  readonly operationId?: string;
  readonly "x-aliases"?: readonly string[];
}

const { paths } = JSON.parse(readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8")) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const aliases = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    (operation["x-aliases"] ?? []).map((alias) => ({ path, method, alias })),
  ),
);
const parametersOf = (path: string) => path.match(/\{\w+\}/g) ?? [];

test.each(aliases)("$alias has the parameters of $path, and is not a path of the spec", (row) => {
  const { path, method, alias } = row;

  expect(parametersOf(alias)).toEqual(expect.arrayContaining(parametersOf(path)));
  expect(paths[alias]?.[method]).toBeUndefined();
});

test("no two operations share an alias", () => {
  const names = aliases.map(({ method, alias }) => `${method} ${alias}`);

  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
});
