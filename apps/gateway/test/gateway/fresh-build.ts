import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashSources } from "../../source-hashes.mjs";

const root = join(import.meta.dirname, "../..");
const namedMax = 5;
let isFresh = false;

/** The built gateway's entry. Throws where `dist/` was built from other sources than there are now. */
export function builtMain(): string {
  if (!isFresh) expectFreshBuild();
  isFresh = true;
  return join(root, "dist/main.js");
}

function expectFreshBuild(): void {
  const changed = changedSources(storedHashes(), hashSources());
  if (changed.length === 0) return;
  const named = changed.slice(0, namedMax).join(", ");
  const more = changed.length > namedMax ? ` and ${changed.length - namedMax} more` : "";
  throw new Error(`apps/gateway/dist is out of date: ${named}${more} changed. Run \`npm run build\` first.`);
}

function storedHashes(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(root, "dist/sources.json"), "utf8"));
  } catch (cause) {
    throw new Error("apps/gateway/dist is missing or incomplete. Run `npm run build` first.", { cause });
  }
}

/** The paths of sources that were changed, added or removed. */
export function changedSources(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}
