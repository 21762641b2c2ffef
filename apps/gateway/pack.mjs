/**
 * Packs every built package for npm into a folder: `node apps/gateway/pack.mjs /tmp/packages`. The tarballs can be
 * published as they are. With `--for-this-machine` the folder has what one gateway on this machine needs, to be installed
 * together; with `--slim` as well, without the local models. With `--only packages/client` it has that package alone.
 * `--repository https://host.example/owner/name` is named in each manifest, as provenance demands it.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  publishedManifest,
  readManifest,
  root,
  slimGateway,
  wholeGateway,
  withPublishFields,
} from "./packing/manifests.mjs";
import { platforms, stageRuntime, withRuntimes } from "./packing/onnxruntime.mjs";
import { sqlitePlatforms, stageSqlite, withSqlite } from "./packing/sqlite.mjs";

/** @typedef {import("./packing/manifests.mjs").Manifest} Manifest */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "for-this-machine": { type: "boolean" },
    slim: { type: "boolean" },
    only: { type: "string" },
    repository: { type: "string" },
  },
});
const [destination] = positionals;
if (destination === undefined) throw new Error("Name a folder for the packages.");
if (values.slim && !values["for-this-machine"]) throw new Error("--slim belongs to --for-this-machine.");

const localModels = ["packages/local-embeddings", "packages/sketch"];
const shared = ["spec", "packages/vector-check", "apps/console", "apps/docs"];
const gateway = "apps/gateway";
const manifests = new Map(
  [...shared, ...localModels, "packages/client", gateway].map((folder) => [
    folder,
    readManifest(join(root, folder)),
  ]),
);
const versions = Object.fromEntries([...manifests.values()].map(({ name, version }) => [name, version]));

const target = resolve(destination);
mkdirSync(target, { recursive: true });
const staging = mkdtempSync(join(tmpdir(), "pack-"));
/** @type {string[]} */
const staged = [];
try {
  if (values.only !== undefined) stage(values.only, manifestOf(values.only));
  else if (values["for-this-machine"]) stageForThisMachine();
  else stageForAll();
  for (const folder of staged) addPublishFields(folder);
  // One npm for all: its start takes as long as most packages.
  execFileSync("npm", ["pack", "--silent", "--pack-destination", target, ...staged], { stdio: "inherit" });
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function stageForAll() {
  stageShared();
  const manifest = stageSqliteOf(sqlitePlatforms);
  stage("packages/client", manifestOf("packages/client"));
  stageLocalModels(platforms);
  stage(gateway, wholeGateway(manifest));
  stage(gateway, { ...slimGateway(manifest), name: `${manifest.name}-slim` });
}

function stageForThisMachine() {
  stageShared();
  const here = `${process.platform}-${process.arch}`;
  const manifest = stageSqliteOf(sqlitePlatforms.filter((platform) => platform === here));
  stage(gateway, values.slim ? slimGateway(manifest) : wholeGateway(manifest));
  if (!values.slim) stageLocalModels(platforms.filter((platform) => platform === here));
}

function stageShared() {
  for (const folder of shared) stage(folder, manifestOf(folder));
}

/**
 * @param {readonly string[]} packed The platforms whose SQLite is packed.
 * @returns {Manifest} That of the gateway, which depends on it.
 */
function stageSqliteOf(packed) {
  const manifest = withSqlite(manifestOf(gateway));
  const { version, engines } = /** @type {Manifest & { engines: unknown }} */ (manifest);
  for (const platform of packed) stageSqlite(stagedFolder(), { platform, version, engines });
  return manifest;
}

/** @param {readonly string[]} packed The platforms whose runtime is packed. */
function stageLocalModels(packed) {
  const [embeddings = "", sketch = ""] = localModels;
  const manifest = manifestOf(embeddings);
  stage(embeddings, withRuntimes(manifest));
  stage(sketch, manifestOf(sketch));
  const { version, engines } = /** @type {Manifest & { engines: unknown }} */ (manifest);
  for (const platform of packed) stageRuntime(stagedFolder(), { platform, version, engines });
}

/** @param {string} folder @returns {Manifest} */
function manifestOf(folder) {
  const manifest = manifests.get(folder);
  if (manifest === undefined) throw new Error(`There is no package ${folder}.`);
  return publishedManifest(manifest, versions);
}

/** @param {string} folder @param {Manifest} manifest */
function stage(folder, manifest) {
  const place = stagedFolder();
  const own = existsSync(join(root, folder, "README.md")) ? ["README.md"] : [];
  const named = (manifest.files ?? []).filter((name) => !name.startsWith("!"));
  for (const name of new Set([...own, ...named]))
    cpSync(join(root, folder, name), join(place, name), { recursive: true, filter: isPublished });
  cpSync(join(root, "LICENSE"), join(place, "LICENSE"));
  writeFileSync(join(place, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * The pages of the sites are published in their compressed forms alone: the gateway sends those, and inflates one for a
 * client that takes neither.
 *
 * @param {string} path
 */
function isPublished(path) {
  return !existsSync(`${path}.gz`);
}

/** @param {string} folder Staged. */
function addPublishFields(folder) {
  const manifest = withPublishFields(readManifest(folder), values.repository);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A new folder with the files of one package. */
function stagedFolder() {
  const folder = join(staging, String(staged.length));
  mkdirSync(folder);
  staged.push(folder);
  return folder;
}
