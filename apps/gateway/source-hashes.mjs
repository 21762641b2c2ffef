import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ownPackages } from "./bundled-packages.mjs";

const root = import.meta.dirname;

/**
 * The hash of every file that `dist/` is built from, by its path. The build stores them in `dist/sources.json`, and the
 * tests that start `dist/` compare them. Times of change would not do: a build that Turbo has cached keeps old ones.
 *
 * @returns {Record<string, string>}
 */
export function hashSources() {
  const folders = ownPackages.map((name) => join(root, "node_modules", name, "src"));
  const sources = [join(root, "src"), ...folders].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.endsWith(".test.ts") && !path.includes(`${sep}test${sep}`, folder.length)),
  );
  const others = [
    "rolldown.config.mjs",
    "bundled-packages.mjs",
    "../../packages/tokens/write-vocabularies.mjs",
    "tsconfig.build.json",
  ].map((name) => join(root, name));
  const spec = ["requests.json", "errors"].map((name) =>
    fileURLToPath(import.meta.resolve(`@model-gateway/spec/${name}`)),
  );
  const paths = [...sources, ...others, ...spec].sort();
  return Object.fromEntries(paths.map((path) => [relative(root, path), hashOf(path)]));
}

/** Whether `dist/` is built from the present sources. */
export function isBuilt() {
  try {
    const stored = JSON.parse(readFileSync(join(root, "dist/sources.json"), "utf8"));
    return JSON.stringify(stored) === JSON.stringify(hashSources());
  } catch {
    // Nothing is built, or a package is not installed.
    return false;
  }
}

/** @param {string} path */
function hashOf(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
}
