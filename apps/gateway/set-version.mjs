/**
 * Sets the version of all packages and the spec, and moves the changelog's Unreleased section to it: `npm run release
 * -- 1.1.0`. Then run `npm run build`, since generated files contain the version, and commit.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [version = "", folder = join(import.meta.dirname, "../..")] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error("Name a version, such as 1.1.0.");
const root = resolve(folder);

const packages = ["packages", "apps"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
);
for (const name of ["spec", ...packages])
  replace(`${name}/package.json`, /(?<=^ {2}"version": ")[^"]+/m, version);
replace("spec/openapi.yaml", /(?<=^ {2}version: ).+/m, version);
replace("apps/gateway/deploy/kubernetes/deployment.yaml", /(?<=image: .+:)\S+$/m, version);
const chart = "apps/gateway/deploy/helm/model-gateway/Chart.yaml";
for (const name of ["version", "appVersion"]) replace(chart, new RegExp(`(?<=^${name}: ).+`, "m"), version);
const date = new Date().toISOString().slice(0, 10);
replace("CHANGELOG.md", /^## Unreleased$/m, `## Unreleased\n\n## ${version}, ${date}`);

/** @param {string} file @param {RegExp} pattern @param {string} text */
function replace(file, pattern, text) {
  const before = readFileSync(join(root, file), "utf8");
  if (!pattern.test(before)) throw new Error(`${file} has no place for the version.`);
  writeFileSync(join(root, file), before.replace(pattern, text));
}
