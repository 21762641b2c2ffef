/** Loaded before the gateway. Replies with the packages of `node_modules` that it has loaded. */
import { createRequire } from "node:module";

process.on("message", () => {
  const files = Object.keys(createRequire(import.meta.url).cache);
  const names = files.flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  process.send?.([...new Set(names)].sort());
});
// The channel alone must not keep the gateway running.
process.channel?.unref();
