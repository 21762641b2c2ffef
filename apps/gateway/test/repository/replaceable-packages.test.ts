import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listModules } from "./imports.js";

const root = join(import.meta.dirname, "../../../..");
const modules = ["spec", "packages", "apps"].flatMap((folder) =>
  listModules(join(root, folder)).map((file) => join(folder, file)),
);

/** Packages in maintenance, with the one file that a replacement would change (decision 0008). */
test.each([
  ["openapi-fetch", "packages/client/src/http-client.ts", "packages/client/package.json", "dependencies"],
  ["openapi-typescript", "spec/generate.ts", "spec/package.json", "devDependencies"],
])("%s is imported by %s alone, in an exact version", (name, seam, manifest, kind) => {
  const imported = new RegExp(`(?:from|import|import\\(|require\\()\\s*["']${name}(?:/[^"']*)?["']`);

  const importers = modules.filter((file) => imported.test(readFileSync(join(root, file), "utf8")));

  expect(importers).toEqual([seam]);
  expect(JSON.parse(readFileSync(join(root, manifest), "utf8"))[kind][name]).toMatch(/^\d+\.\d+\.\d+$/);
});
