import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import { expect, test } from "vitest";
import { listModules, repository, withoutTests } from "./imports.js";

/*
 * The traits of models are data. A name of a model in the program would be a fact that no newer catalogue can change, so
 * that the model after it is served wrongly.
 */

/** Files that know models by name: those in our own process, and the tables of other products' imports. */
const exceptions = [
  /^packages\/(local-embeddings|sketch)\//,
  /^packages\/providers\/src\/local\//,
  /^apps\/cli\/src\/import\//,
  // The profiles that the configuration names.
  /^packages\/domain\/src\/image-profiles\.ts$/,
];
/** A word of the API of Cohere, and not only the beginning of its models' names. */
const words = ["embed-"];

const folders = [
  ...["gateway", "console", "cli"].map((name) => `apps/${name}/src`),
  ...readdirSync(join(repository, "packages")).map((name) => `packages/${name}/src`),
].filter((folder) => existsSync(join(repository, folder)));

/** Whole names, and the beginnings of patterns: the sources must have neither. */
function namesInCatalogue(): string[] {
  const { rows, families } = builtInCatalogue();
  const beginnings = families.flatMap(({ models }) => models.map((one) => one.replace(/[(*].*$/, "")));
  return [...new Set([...rows.map(({ model }) => model), ...beginnings])].filter(
    (name) => name.length > 4 && /[\d-]/.test(name) && !words.includes(name),
  );
}

const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const longestFirst = namesInCatalogue().sort((one, other) => other.length - one.length);
const named = new RegExp(`(?<![\\w/-])(?:${longestFirst.map(escaped).join("|")})`, "g");

/** Without comments, which may name examples. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/ .*$/gm, "");
}

function namesIn(file: string): string[] {
  return [...new Set(codeOf(readFileSync(join(repository, file), "utf8")).match(named) ?? [])];
}

const sources = folders
  .flatMap((folder) => withoutTests(listModules(join(repository, folder))).map((file) => `${folder}/${file}`))
  .filter((file) => !/\.test\.tsx$/.test(file) && !exceptions.some((exception) => exception.test(file)));

test("no source names a model of the catalogue", () => {
  expect(longestFirst.length).toBeGreaterThan(100);
  expect(sources.length).toBeGreaterThan(500);

  const naming = sources.flatMap((file) => {
    const names = namesIn(file);
    return names.length === 0 ? [] : [`${file}: ${names.join(", ")}`];
  });

  expect(naming, "move what the source knows of the model to packages/catalogue/src/catalogue.json").toEqual(
    [],
  );
});

test("a name is found in code, and not in a comment", () => {
  const find = (text: string) => codeOf(text).match(named) ?? [];

  expect(find('const isNew = model.startsWith("voyage-4");')).toEqual(["voyage-4"]);
  expect(find("/^gpt-image-2/")).not.toEqual([]);
  expect(find("// such as voyage-4\n/** embed-v4.0 */")).toEqual([]);
});
