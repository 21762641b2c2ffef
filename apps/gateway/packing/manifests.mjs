import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { bundledPackages } from "../bundled-packages.mjs";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** @typedef {Record<string, string>} Versions */
/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} [description]
 * @property {string} [license]
 * @property {string[]} [files]
 * @property {Versions} [dependencies]
 * @property {Versions} [optionalDependencies]
 * @property {Versions} [peerDependencies]
 * @property {unknown} [peerDependenciesMeta]
 * @property {unknown} [scripts]
 * @property {unknown} [devDependencies]
 * @property {unknown} [private]
 * @property {Record<string, unknown>} [exports]
 * @property {Record<string, string>} [publishConfig]
 */

/** @type {Versions} */
const catalog = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")).catalog;

/** @param {string} folder @returns {Manifest} */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/**
 * The manifest without the parts that only the repository needs: scripts, tools, exports of files that are not packed, and
 * the optional packages that a build reads.
 *
 * @param {Manifest} manifest
 * @param {Versions} versions Of the packages of this repository.
 * @returns {Manifest}
 */
export function publishedManifest(manifest, versions) {
  const { scripts, devDependencies, optionalDependencies, private: _, ...kept } = manifest;
  return {
    ...kept,
    ...(kept.exports && { exports: packedExports(kept.exports, kept.files) }),
    ...(kept.dependencies && { dependencies: resolveVersions(kept.dependencies, versions) }),
    ...(kept.peerDependencies && { peerDependencies: resolveVersions(kept.peerDependencies, versions) }),
  };
}

/** @param {Record<string, unknown>} exports @param {readonly string[]} [files] */
function packedExports(exports, files = []) {
  const entries = Object.entries(exports).filter(([, target]) =>
    files.some((name) => JSON.stringify(target).includes(`"./${name}/`)),
  );
  return Object.fromEntries(entries);
}

/**
 * Adds what npm asks of a published package: it accepts a provenance only for the repository that the manifest names, and
 * a prerelease only under a tag, so that an install does not take it for the newest version.
 *
 * @param {Manifest} manifest
 * @param {string} [repository] Its address, such as `https://host.example/owner/name`.
 * @returns {Manifest}
 */
export function withPublishFields(manifest, repository) {
  const isPrerelease = manifest.version.includes("-");
  return {
    ...manifest,
    ...(repository && { repository: { type: "git", url: `git+${repository}.git` } }),
    ...(isPrerelease && { publishConfig: { ...manifest.publishConfig, tag: "next" } }),
  };
}

/**
 * The gateway without the local models: they are optional peers, which an install may add.
 *
 * @param {Manifest} manifest Published.
 * @returns {Manifest}
 */
export function slimGateway(manifest) {
  const dependencies = { ...manifest.dependencies };
  for (const name of bundledPackages) delete dependencies[name];
  return { ...manifest, dependencies };
}

/**
 * The gateway with the local models: `npx @model-gateway/gateway` needs no second name.
 *
 * @param {Manifest} manifest Published.
 * @returns {Manifest}
 */
export function wholeGateway(manifest) {
  const { peerDependencies, peerDependenciesMeta, ...slim } = slimGateway(manifest);
  return { ...slim, dependencies: { ...slim.dependencies, ...peerDependencies } };
}

/**
 * npm knows neither the workspace nor the catalog of pnpm.
 *
 * @param {Versions} dependencies
 * @param {Versions} versions
 */
function resolveVersions(dependencies, versions) {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => {
      const known =
        version === "workspace:*" ? versions[name] : version === "catalog:" ? catalog[name] : version;
      if (known === undefined) throw new Error(`There is no version of ${name}.`);
      return [name, known];
    }),
  );
}
