import { fileURLToPath } from "node:url";

/**
 * Puts the gateway into a few files. A start would else look for some 1,500 files, which takes longer than everything
 * else it does. What has binaries, or is large and only sometimes needed, stays where it was installed.
 */
const bundled = [
  "express",
  "express-openapi-validator",
  "kysely",
  "lru-cache",
  "multer",
  "prom-client",
  "undici",
  "yaml",
  "zod",
];

/**
 * What a bundled package needs comes with it.
 *
 * @param {string} id
 * @param {string | undefined} importer
 */
function isExternal(id, importer = "") {
  if (/^[./]/.test(id) || importer.includes("/node_modules/")) return false;
  return !bundled.some((name) => id === name || id.startsWith(`${name}/`));
}

/**
 * Of undici the gateway needs its connections to upstreams. The larger half of it is what `fetch` needs, which Node has.
 *
 * @type {import("rolldown").Plugin}
 */
const undiciInPart = {
  name: "undici-in-part",
  resolveId: (id, importer = "") =>
    id === "undici" && !importer.includes("/node_modules/")
      ? fileURLToPath(new URL("undici-in-part.js", import.meta.url))
      : null,
};

/** @type {import("rolldown").RolldownOptions} */
export default {
  input: {
    main: "dist/modules/main.js",
    "sqlite-worker": "dist/modules/storage/database/sqlite-worker.mjs",
  },
  platform: "node",
  external: isExternal,
  plugins: [undiciInPart],
  output: {
    dir: "dist",
    format: "esm",
    // All in one folder: the program looks for the worker beside itself.
    entryFileNames: ({ name }) => (name === "sqlite-worker" ? "[name].mjs" : "[name].js"),
    chunkFileNames: "[name].js",
    // Text that V8 keeps for as long as the program runs, and in twice the bytes where one letter is not Latin.
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    // A profile shows which package a function belongs to.
    codeSplitting: { groups: [{ name: packageOf, test: /node_modules/ }] },
  },
};

/** @param {string} id */
function packageOf(id) {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? "package";
  return name.replace("/", "+");
}
