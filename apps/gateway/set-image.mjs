/**
 * Puts the name of the image in the place of `registry.example/model-gateway`, in the README, the docs, the chart and
 * the manifests: `node apps/gateway/set-image.mjs host/owner/model-gateway`. The release workflow calls it before it
 * builds.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const placeholder = "registry.example/model-gateway";
const places = [
  "README.md",
  "apps/docs/guides",
  "apps/docs/pages",
  "apps/gateway/README.md",
  "apps/gateway/deploy/helm/model-gateway/values.yaml",
  "apps/gateway/deploy/kubernetes",
];

const [image = "", folder = join(import.meta.dirname, "../..")] = process.argv.slice(2);
if (!/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)+$/.test(image))
  throw new Error("Name the image with its registry, and without a tag.");
const changed = places.flatMap((place) => filesIn(join(resolve(folder), place))).filter(setName);
if (changed.length === 0) throw new Error(`No file names ${placeholder}.`);
process.stdout.write(`${changed.join("\n")}\n`);

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => /\.(md|ts|yaml)$/.test(name))
    .map((name) => join(path, name));
}

/** @param {string} file */
function setName(file) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(placeholder)) return false;
  writeFileSync(file, text.replaceAll(placeholder, image));
  return true;
}
