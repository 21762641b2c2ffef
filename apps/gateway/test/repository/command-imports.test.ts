import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listModules, readImports } from "./imports.js";

const src = join(import.meta.dirname, "../../src/");
const imports = readImports(
  src,
  listModules(src).filter((file) => !file.endsWith(".test.ts")),
).filter(({ isTypeOnly, isDynamic }) => !isTypeOnly && !isDynamic);

/** A file, and every file that is loaded with it. */
function loadedWith(file: string): string[] {
  const loaded = new Set([file]);
  for (const one of loaded) for (const { from, to } of imports) if (from === one) loaded.add(to);
  return [...loaded];
}

/** The packages that these files import, without those of Node. */
function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) =>
    [
      ...readFileSync(join(src, file), "utf8").matchAll(
        /^(?:import|\}) (?!type )[^;]*?from "([^."][^"]*)"/gm,
      ),
    ].map(([, name = ""]) => name),
  );
  return [...new Set(names)].filter((name) => !name.startsWith("node:")).sort();
}

test("a start of any command loads the arguments and the table of commands alone", () => {
  expect(loadedWith("main.ts").sort()).toEqual([
    "commands/command-line.ts",
    "commands/command-table.ts",
    "commands/option-table.ts",
    "domain/close-names.ts",
    "domain/write-whole.ts",
    "main.ts",
    "process/explain-failure.ts",
    "runtime/code-cache.ts",
    "runtime/v8-flags.ts",
  ]);
});

const remote = [
  "status",
  "models",
  "try",
  "connect",
  "link",
  "keys",
  "logs",
  "batch/run-batch",
  "reembed/reembed",
];

test.each(remote)("%s loads nothing of the serving gateway", (name) => {
  const loaded = [...loadedWith("commands/run-remote.ts"), ...loadedWith(`commands/${name}.ts`)];

  expect(
    packagesOf(loaded).filter(
      (one) => !["@model-gateway/client", "fastest-levenshtein", "yaml"].includes(one),
    ),
  ).toEqual([]);
  const folders = new Set(loaded.map((file) => file.split("/")[0]));
  expect([...folders].sort()).toEqual(["commands", "config", "domain", "storage"]);
});
