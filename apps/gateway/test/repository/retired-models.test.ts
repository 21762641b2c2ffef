import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The folders whose examples readers copy, and those with defaults. Decisions tell of the past. */
const folders = [
  "apps/docs/guides",
  "apps/docs/upstreams",
  "apps/docs/examples",
  "apps/docs/pages",
  "apps/docs/reference",
  "apps/docs/diagrams",
  "apps/docs/browser",
  "apps/console/src",
  "apps/console/test",
  "apps/gateway/bench",
  "apps/gateway/deploy",
  "apps/gateway/packing",
  "apps/gateway/src",
  "apps/gateway/test",
  "apps/gateway/screencast",
  "packages",
  "spec/components",
  "spec/drift",
  "spec/paths",
  "spec/samples",
];
const files = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "apps/gateway/README.md",
  "spec/openapi.yaml",
  "spec/generated/openapi.json",
  ...folders.flatMap((folder) => listFiles(join(root, folder)).map((file) => join(folder, file))),
];

/** Files about ids that have ended: tests of the rules for them, and names in other products' files. */
const aboutEnds = [
  "apps/console/test/browser/pages/models.test.ts",
  // The patterns of the catalogue, as a test writes them.
  "apps/docs/upstreams/facts.md",
  "packages/catalogue/src/",
  "apps/cli/src/import/",
  "apps/gateway/src/images/cost.test.ts",
  "packages/config/src/models/end-warnings.test.ts",
  "apps/gateway/test/fake-upstream/",
  "apps/gateway/test/in-process/import/",
  "apps/gateway/test/in-process/models/model-ends.test.ts",
  "apps/gateway/test/in-process/usage/price-forms.test.ts",
  "apps/gateway/test/repository/retired-models.test.ts",
];

/** The pattern leaves out longer ids, such as `gpt-image-1.5` for `gpt-image-1`. */
const ended = builtInCatalogue()
  .rows.filter(({ shutdown_on }) => shutdown_on !== undefined)
  .map(({ model, shutdown_on }) => ({
    model,
    shutdown_on,
    pattern: new RegExp(`(?<![\\w.-])${model.replaceAll(".", "\\.")}(?![\\w-]|\\.\\d)`),
  }));

test("no example, default or guide names a model that has ended or will end", () => {
  const named = files
    .filter((file) => !aboutEnds.some((prefix) => file.startsWith(prefix)))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return ended.filter(({ pattern }) => pattern.test(text)).map(({ model }) => `${file}: ${model}`);
    });

  expect(ended.length).toBeGreaterThan(10);
  expect(named, "name the successor in catalogue.json instead").toEqual([]);
});

test("the search covers what readers copy: the spec's examples, the samples, the console's texts and the packages", () => {
  const covered = (name: RegExp) => files.some((file) => name.test(file));

  expect(covered(/^spec\/components\/examples\/|^spec\/components\/schemas\//)).toBe(true);
  expect(covered(/^spec\/samples\/.+\.(sh|mjs|js|ts|py)$/)).toBe(true);
  expect(covered(/^apps\/console\/src\/pages\/.+\.tsx$/)).toBe(true);
  expect(covered(/^packages\/client\/README\.md$/)).toBe(true);
  expect(covered(/^packages\/local-embeddings\//)).toBe(true);
  expect(files.length).toBeGreaterThan(1000);
});

test("no example names a preview of a model", () => {
  const previews = files
    .filter((file) => !aboutEnds.some((prefix) => file.startsWith(prefix)))
    .filter((file) => /\bgemini-[\w.]+(-[a-z]+)*-preview\b/.test(readFileSync(join(root, file), "utf8")));

  expect(previews).toEqual([]);
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|ts|tsx|mjs|ya?ml|json|sh|py|css|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !/(^|\/)(node_modules|dist|generated|weights)\//.test(file));
}
