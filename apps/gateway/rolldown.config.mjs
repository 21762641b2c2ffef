import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages, ownPackages } from "./bundled-packages.mjs";
import { hashSources } from "./source-hashes.mjs";

/** The code inside `dist/`: some packages, and single files of packages of this repository. */
const bundled = [
  ...bundledPackages,
  ...ownPackages,
  "@model-gateway/spec/errors",
  // The client is not installed with the gateway, and neither is its only dependency.
  "@model-gateway/client",
  "openapi-fetch",
  // The local models' names are known without them: they are an optional install.
  "@model-gateway/local-embeddings/built-in-models",
];

/**
 * Dependencies of a bundled package are bundled as well.
 *
 * @param {string} id
 * @param {string | undefined} importer
 */
function isExternal(id, importer = "") {
  if (/^[./]/.test(id) || importer.includes("/node_modules/")) return false;
  return !bundled.some((name) => id === name || id.startsWith(`${name}/`));
}

/**
 * Stores hashes of the build's sources, so that tests can refuse a build that is out of date.
 *
 * @type {import("rolldown").Plugin}
 */
const sourceHashes = {
  name: "source-hashes",
  generateBundle() {
    const source = `${JSON.stringify(hashSources(), null, 1)}\n`;
    this.emitFile({ type: "asset", fileName: "sources.json", source });
  },
};

/** The vocabularies are data, which the bundler does not see. */
const tokens = join(import.meta.dirname, "node_modules/@model-gateway/tokens");
const bundledFolders = new Set([realpathSync(join(tokens, "node_modules/gpt-tokenizer"))]);

/**
 * Copies the vocabularies of the package for tokens.
 *
 * @type {import("rolldown").Plugin}
 */
const vocabularies = {
  name: "vocabularies",
  generateBundle() {
    const folder = join(tokens, "dist/vocabularies");
    for (const file of readdirSync(folder))
      this.emitFile({
        type: "asset",
        fileName: `vocabularies/${file}`,
        source: readFileSync(join(folder, file)),
      });
  },
};

/**
 * Writes the licence of every bundled package into `dist/`, since an install does not bring the package itself. The
 * second build adds its packages to those of the first.
 *
 * @type {import("rolldown").Plugin}
 */
const licences = {
  name: "licences",
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const [folder] = /.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? [];
      if (folder !== undefined) bundledFolders.add(folder);
    }
    const texts = [...[...bundledFolders].sort().map(licenceOf), tiktoken];
    this.emitFile({
      type: "asset",
      fileName: "third-party-licenses.txt",
      source: texts.join(`\n${"-".repeat(80)}\n\n`),
    });
  },
};

/** The origin of the vocabularies. https://github.com/openai/tiktoken/blob/main/LICENSE */
const tiktoken = `tiktoken (MIT)

Copyright (c) 2022 OpenAI, Shantanu Jain

The files in vocabularies/ have its data, by way of gpt-tokenizer. The terms of the MIT License are those of gpt-tokenizer
above.
`;

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0 && !existsSync(join(folder, "README.md")))
    throw new Error(`${name} has no licence.`);
  return [`${name} ${version} (${license})`, ...texts, ""].join("\n\n");
}

/**
 * undici looks at Node's `Headers` when it is loaded, for its functions about cookies. Node then loads the undici inside
 * itself, which nothing else needs: 33 to 70 ms of a start (decision 0116).
 *
 * @type {import("rolldown").Plugin}
 */
const oneUndici = {
  name: "one-undici",
  transform(code, id) {
    if (!id.endsWith("/undici/lib/web/cookies/index.js")) return undefined;
    const changed = code.replace("[Headers, globalThis.Headers]", "[Headers]");
    if (changed === code) throw new Error("undici does not look at Node's Headers any more.");
    return changed;
  },
};

/** @type {import("rolldown").OutputOptions} */
const output = {
  dir: "dist",
  // Text that V8 keeps for as long as the program runs, and in twice the bytes where one letter is not Latin.
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  // A profile shows which package a function belongs to.
  codeSplitting: { groups: [{ name: packageOf, test: /node_modules/ }] },
};

/**
 * The commands. All builds go to one folder: the gateway looks for its threads beside itself.
 *
 * @type {import("rolldown").RolldownOptions}
 */
export const commands = {
  input: {
    main: "dist/modules/main.js",
    "vector-file-worker": "dist/modules/storage/vectors/vector-file-worker.mjs",
  },
  platform: "node",
  external: isExternal,
  plugins: [sourceHashes, vocabularies, licences],
  output: {
    ...output,
    format: "esm",
    entryFileNames: ({ name }) => (name.endsWith("-worker") ? "[name].mjs" : "[name].js"),
    chunkFileNames: "[name].js",
  },
};

/**
 * The gateway and its threads, as scripts: Node 20 can keep the compiled code of scripts, and not that of modules. Such code cannot
 * import, so packages are required (decision 0116).
 *
 * @type {import("rolldown").RolldownOptions}
 */
export const server = {
  input: {
    serve: "dist/modules/process/serve.js",
    "sqlite-worker": "dist/modules/storage/database/sqlite-worker.cjs",
    "watchdog-worker": "dist/modules/process/watchdog-worker.cjs",
  },
  platform: "node",
  external: isExternal,
  plugins: [licences, oneUndici],
  output: {
    ...output,
    format: "cjs",
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
  },
};

export default [commands, server];

/** @param {string} id */
function packageOf(id) {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? "package";
  return name.replace("/", "+");
}
