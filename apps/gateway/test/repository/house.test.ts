import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { expect, test } from "vitest";
import { budgets } from "../registers/house.js";
import { listHouse, pathInHouse, readHouse, repository, roomOf, withoutTests } from "./imports.js";
import { childrenOf, type SyntaxNode } from "./source-calls.js";

const sources = withoutTests(listHouse());
const textOf = new Map(sources.map((file) => [file, readFileSync(pathInHouse(file), "utf8")]));

const functionLinesMax = 40;
const importersMax = 12;

test("no room has grown beyond its lines", () => {
  const rooms = new Map<string, number>();
  for (const [file, text] of textOf) {
    const room = roomOf(file);
    rooms.set(room, (rooms.get(room) ?? 0) + text.split("\n").length - 1);
  }
  const wrong = [...rooms].flatMap(([room, lines]) => {
    const budget = budgets.lines[room] ?? 0;
    if (lines > budget * 1.01) return `${room} has ${lines} lines, ${lines - budget} more than its budget`;
    return lines < budget * 0.9 ? `${room} has ${lines} lines: lower its budget of ${budget}` : [];
  });

  expect(wrong, advice).toEqual([]);
  expect(Object.keys(budgets.lines).filter((room) => !rooms.has(room))).toEqual([]);
});

test("long functions do not become more", () => {
  const found = [...textOf].flatMap(([file, text]) => longFunctions(file, text));

  expectCount(found, budgets.longFunctions);
});

test("names of types with two meanings do not become more", () => {
  const declared = new Map<string, string[]>();
  for (const [file, text] of textOf)
    for (const [, name = ""] of text.matchAll(/^(?:export )?(?:interface|type|abstract class|class) (\w+)/gm))
      declared.set(name, [...(declared.get(name) ?? []), file]);
  const found = [...declared].filter(([, files]) => files.length > 1);

  expectCount(
    found.map(([name, files]) => `${name}: ${files.join(", ")}`),
    budgets.ambiguousTypes,
  );
});

test("exports that nobody imports do not become more", () => {
  const folders = ["src", "test", "bench"].map((folder) => join(repository, "apps/gateway", folder));
  const importers = [...folders, join(repository, "apps/cli"), join(repository, "packages")].flatMap(
    (folder) => {
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      const code = files.filter(
        (file) => /\.(ts|mjs|cjs)$/.test(file) && !/(^|\/)(dist|node_modules)\//.test(file),
      );
      return code.map((file) => readFileSync(join(folder, file), "utf8"));
    },
  );
  // Names with the files from which they are imported. A file that is imported as a whole counts for all of its names.
  const imported = new Set<string>();
  for (const text of importers)
    for (const [statement, path = ""] of text.matchAll(
      /(?:^import|^export|import\()[^;]*?"[^"]*?\/([\w.-]+?)(?:\.js)?"/gms,
    ))
      for (const name of statement.match(/[\w*]+/g) ?? []) imported.add(`${path} ${name}`);
  const whole = new Set(
    importers.flatMap((text) =>
      [...text.matchAll(/import\("[^"]*?\/([\w.-]+?)(?:\.js)?"\)/g)].map(([, path]) => path),
    ),
  );
  const found = [...textOf].flatMap(([file, text]) => {
    const base = /([\w.-]+)\.\w+$/.exec(file)?.[1];
    if (whole.has(base) || imported.has(`${base} *`)) return [];
    const names = [...text.matchAll(exported)].map(([, name]) => name);
    return names.filter((name) => !imported.has(`${base} ${name}`)).map((name) => `${file}: ${name}`);
  });

  expectCount(found, budgets.unusedExports);
});

const exported = /^export (?:abstract |async )*(?:function\*?|class|const|let|interface|type) (\w+)/gm;

test("files that everybody imports do not become more", () => {
  const importersOf = new Map<string, Set<string>>();
  for (const { from, to } of readHouse(sources))
    importersOf.set(to, (importersOf.get(to) ?? new Set()).add(from));
  const found = [...importersOf].filter(([, importers]) => importers.size > importersMax);

  expectCount(
    found.map(([file, importers]) => `${file}: ${importers.size}`),
    budgets.muchImported,
  );
});

const advice = "raise a budget of test/registers/house.ts in a commit that says what the users get for it";

function expectCount(found: readonly string[], budget: number): void {
  const seen = `${found.length}, and the budget is ${budget}:\n  ${found.join("\n  ")}`;
  if (found.length > budget) expect.fail(`${seen}\n${advice}`);
  if (found.length < budget)
    expect.fail(`${found.length}: lower the budget of ${budget} in test/registers/house.ts`);
}

function longFunctions(file: string, text: string): string[] {
  const found: string[] = [];
  const linesOf = ({ start, end }: SyntaxNode) => text.slice(start, end).split("\n").length;
  const visit = (node: SyntaxNode, name: string): void => {
    const inside = nameOf(node) ?? name;
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
    if (isFunction && linesOf(node) > functionLinesMax)
      found.push(`${file}#${inside}: ${linesOf(node)} lines`);
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(parseSync(file, text).program as unknown as SyntaxNode, "");
  return found;
}

function nameOf({ id, key }: SyntaxNode): string | undefined {
  const named = (id ?? key) as { readonly name?: unknown } | null | undefined;
  return typeof named?.name === "string" ? named.name : undefined;
}
