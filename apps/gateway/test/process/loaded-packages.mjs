/**
 * Loaded before the gateway. Replies with the packages that it has loaded: those of `node_modules`, and the chunks of the
 * bundle, most of which are packages.
 */
import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";

/** @type {Set<string>} */
const chunks = new Set();
fs.readFileSync = new Proxy(fs.readFileSync, {
  apply: (readFileSync, self, args) => {
    const [, name] = /([^/]+)\.cjs$/.exec(String(args[0])) ?? [];
    // The bundler writes the slash of a scope so.
    if (name !== undefined) chunks.add(name.replace(/^(@[^_]+)_/, "$1/"));
    return Reflect.apply(readFileSync, self, args);
  },
});
// The bundle imports the function by name.
syncBuiltinESMExports();

process.on("message", () => {
  const files = Object.keys(createRequire(import.meta.url).cache);
  const names = files.flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  process.send?.([...new Set([...names, ...chunks])].sort());
});
// The channel alone must not keep the gateway running.
process.channel?.unref();
