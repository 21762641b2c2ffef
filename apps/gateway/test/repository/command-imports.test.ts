import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ownPackages } from "../../bundled-packages.mjs";
import { listHouse, pathInHouse, readHouse, roomOf, withoutTests } from "./imports.js";

const imports = readHouse(withoutTests(listHouse())).filter(
  ({ isTypeOnly, isDynamic }) => !isTypeOnly && !isDynamic,
);

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
      ...readFileSync(pathInHouse(file), "utf8").matchAll(
        /^(?:import|\}) (?!type )[^;]*?from "([^."][^"]*)"/gm,
      ),
    ].map(([, name = ""]) => name),
  );
  return [...new Set(names)].filter((name) => !name.startsWith("node:") && !isOwn(name)).sort();
}

function isOwn(name: string): boolean {
  return ownPackages.some((one) => name.startsWith(`${one}/`));
}

test("a start of any command loads the arguments and the table of commands alone", () => {
  expect(loadedWith("main.ts").sort()).toEqual([
    "apps/cli/src/command-line.ts",
    "apps/cli/src/command-table.ts",
    "apps/cli/src/option-table.ts",
    "main.ts",
    "packages/domain/src/close-names.ts",
    "packages/runtime/src/code-cache.ts",
    "packages/runtime/src/v8-flags.ts",
    "packages/runtime/src/write-whole.ts",
    "process/explain-failure.ts",
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
  const loaded = [...loadedWith("apps/cli/src/run-remote.ts"), ...loadedWith(`apps/cli/src/${name}.ts`)];

  expect(
    packagesOf(loaded).filter(
      (one) => !["@model-gateway/client", "fastest-levenshtein", "yaml"].includes(one),
    ),
  ).toEqual([]);
  const folders = new Set(loaded.map(roomOf));
  expect([...folders].sort()).toEqual(["cli", "config", "data-folder", "domain", "runtime"]);
});
