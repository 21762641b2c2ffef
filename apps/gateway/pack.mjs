/**
 * Packs every built package for npm into a folder: `node apps/gateway/pack.mjs /tmp/packages`. The tarballs can be
 * installed together, and published as they are.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folders = [
  "spec",
  "packages/client",
  "packages/local-embeddings",
  "packages/sketch",
  "packages/vector-check",
  "apps/console",
  "apps/docs",
  "apps/gateway",
];
const [destination] = process.argv.slice(2);
if (destination === undefined) throw new Error("Name a folder for the packages.");

/** @typedef {Record<string, string>} Versions */
/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string[]} [files]
 * @property {Versions} [dependencies]
 * @property {Versions} [peerDependencies]
 */

/** @type {Versions} */
const catalog = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")).catalog;
const manifests = new Map(folders.map((folder) => [folder, readManifest(folder)]));
/** @type {Versions} */
const versions = Object.fromEntries([...manifests.values()].map(({ name, version }) => [name, version]));

mkdirSync(destination, { recursive: true });
for (const [folder, manifest] of manifests) pack(folder, manifest);

/** @param {string} folder @returns {Manifest} */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/** @param {string} folder @param {Manifest} manifest */
function pack(folder, manifest) {
  const staged = mkdtempSync(join(tmpdir(), "pack-"));
  try {
    const own = ["README.md", "NOTICES.md"].filter((name) => existsSync(join(root, folder, name)));
    const named = (manifest.files ?? []).filter((name) => !name.startsWith("!"));
    for (const name of new Set([...own, ...named]))
      cpSync(join(root, folder, name), join(staged, name), { recursive: true });
    cpSync(join(root, "LICENSE"), join(staged, "LICENSE"));
    writeFileSync(join(staged, "package.json"), `${JSON.stringify(published(manifest), null, 2)}\n`);
    const target = resolve(String(destination));
    execFileSync("npm", ["pack", "--silent", "--pack-destination", target], {
      cwd: staged,
      stdio: "inherit",
    });
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/**
 * The manifest without the parts that only the repository needs: scripts, tools, and the optional packages that a build
 * reads.
 *
 * @param {Manifest & { scripts?: unknown, devDependencies?: unknown, optionalDependencies?: unknown, private?: unknown
 * }} manifest
 */
function published({ scripts, devDependencies, optionalDependencies, private: _, ...manifest }) {
  return {
    ...manifest,
    ...(manifest.dependencies && { dependencies: resolveVersions(manifest.dependencies) }),
    ...(manifest.peerDependencies && { peerDependencies: resolveVersions(manifest.peerDependencies) }),
  };
}

/**
 * npm knows neither the workspace nor the catalog of pnpm.
 *
 * @param {Versions} dependencies
 */
function resolveVersions(dependencies) {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => {
      const known =
        version === "workspace:*" ? versions[name] : version === "catalog:" ? catalog[name] : version;
      if (known === undefined) throw new Error(`There is no version of ${name}.`);
      return [name, known];
    }),
  );
}
