/**
 * Ends the process with a sentence if its Node cannot run the gateway. Each entry point imports this before everything else,
 * and the rest on demand: an old Node cannot even load that, and its error is about a name or a syntax. Between the
 * versions in `engines` are some that cannot require an ES module.
 */
import { readFileSync } from "node:fs";

/** Such as `^20.19.0 || >=22.12.0`. */
const { engines } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const ranges = /** @type {string} */ (engines.node).split(" || ");
const found = process.versions.node;

if (!ranges.some((range) => isIn(range, found))) {
  const needed = ranges.map((range) => `${minorOf(range)}${range.startsWith("^") ? "" : " or later"}`);
  process.stderr.write(
    `Model Gateway needs Node ${needed.join(", or ")}, and this is Node ${found} (${process.execPath}). Install a later one from https://nodejs.org, and try again.\n`,
  );
  process.exit(1);
}

/**
 * @param {string} range A version with `^`, for others of the same major version, or with `>=`.
 * @param {string} version Such as `18.20.4`.
 */
function isIn(range, version) {
  const [major = 0, minor = 0] = minorOf(range).split(".").map(Number);
  const [foundMajor = 0, foundMinor = 0] = version.split(".").map(Number);
  if (foundMajor === major) return foundMinor >= minor;
  return !range.startsWith("^") && foundMajor > major;
}

/** @param {string} range */
function minorOf(range) {
  return range.replace(/^(\^|>=)(\d+\.\d+).*/, "$2");
}
