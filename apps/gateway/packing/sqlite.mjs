import { cpSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readManifest, root } from "./manifests.mjs";
import { writePlatformPackage } from "./platform-package.mjs";

/**
 * SQLite for one platform, for a Node that has none or an old one. The package `@photostructure/sqlite` has the libraries
 * of all platforms and SQLite's source, 29 MB, and a script that compiles where no library fits. The files here are its
 * own, unchanged.
 */
const name = "@photostructure/sqlite";
const source = realpathSync(join(root, "apps/gateway/node_modules", name));
const original = readManifest(source);
/** It finds the library that fits the platform. */
const loader = readManifest(realpathSync(join(source, "../../node-gyp-build")));

/** The platforms that it has, as `linux-x64`. @type {readonly string[]} */
export const sqlitePlatforms = readdirSync(join(source, "prebuilds"));

/** @param {string} platform */
function sqlitePackage(platform) {
  return `@model-gateway/sqlite-${platform}`;
}

/**
 * The published manifest of the gateway: npm installs the package of one platform.
 *
 * @param {import("./manifests.mjs").Manifest} manifest
 */
export function withSqlite(manifest) {
  const { [name]: _, ...dependencies } = manifest.dependencies ?? {};
  const packages = sqlitePlatforms.map((platform) => [sqlitePackage(platform), manifest.version]);
  return { ...manifest, dependencies, optionalDependencies: Object.fromEntries(packages) };
}

/**
 * Writes the package of one platform into a folder. Linux has two libraries, for glibc and for musl: npm would install the
 * packages of both, since it does not know from the registry which one is for which.
 *
 * @param {string} folder
 * @param {{ platform: string, version: string, engines: unknown }} options
 */
export function stageSqlite(folder, { platform, version, engines }) {
  const [os = "", cpu = ""] = platform.split("-");
  for (const path of ["dist/index.cjs", join("prebuilds", platform)])
    cpSync(join(source, path), join(folder, path), { recursive: true });
  writePlatformPackage(folder, {
    manifest: {
      name: sqlitePackage(platform),
      version,
      description: `SQLite for Node.js on ${platform}, from the package ${name} ${original.version}.`,
      license: original.license,
      os: [os],
      cpu: [cpu],
      engines,
      main: "dist/index.cjs",
      dependencies: { [loader.name]: loader.version },
    },
    installedWith: "@model-gateway/gateway",
    sources: `https://github.com/photostructure/node-sqlite/tree/v${original.version}`,
    licence: readFileSync(join(source, "LICENSE"), "utf8"),
  });
}
