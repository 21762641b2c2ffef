import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the manifest, the README and the licence of a package that has the files of another one for one platform.
 *
 * @param {string} folder Has the files.
 * @param {object} options
 * @param {{ name: string, description: string } & Record<string, unknown>} options.manifest
 * @param {string} options.installedWith The package that depends on it.
 * @param {string} options.sources An address.
 * @param {string} options.licence
 */
export function writePlatformPackage(folder, { manifest, installedWith, sources, licence }) {
  const published = { ...manifest, publishConfig: { access: "public" } };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const readme = `# ${manifest.name}

${manifest.description} The files are unchanged; those of other platforms are left out. It is installed with
\`${installedWith}\`.

The sources and the notices of third parties: ${sources}
`;
  writeFileSync(join(folder, "README.md"), readme);
  writeFileSync(join(folder, "LICENSE"), licence);
}
