import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const lockfile = parse(readFileSync(new URL("../../../../pnpm-lock.yaml", import.meta.url), "utf8"));
const snapshots: Record<string, { optionalDependencies?: Record<string, string> }> = lockfile.snapshots;

test("every package that comes as binaries comes for Linux and macOS on both kinds of processor", () => {
  const binaries = Object.entries(snapshots)
    .map(([name, { optionalDependencies = {} }]) => [name, Object.keys(optionalDependencies)] as const)
    // A package for one platform may bring more for that platform alone.
    .filter(([name, names]) => !/linux/.test(name) && names.some((other) => /linux/.test(other)));

  const incomplete = binaries.filter(
    ([, names]) =>
      ![/linux-(x64|64)/, /linux-arm64/, /darwin-(x64|64)/, /darwin-arm64/].every((platform) =>
        names.some((name) => platform.test(name)),
      ),
  );

  expect(binaries.length).toBeGreaterThan(5);
  expect(incomplete.map(([name]) => name)).toEqual([]);
});
