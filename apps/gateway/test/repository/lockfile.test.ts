import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const read = (name: string) => parse(readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8"));
const lockfile = read("pnpm-lock.yaml");
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

test("pnpm refuses packages that lost their proof of origin, and packages from outside the registry", () => {
  expect(read("pnpm-workspace.yaml")).toMatchObject({
    trustPolicy: "no-downgrade",
    blockExoticSubdeps: true,
  });
});

test("the tests verify the lockfile by these rules, and a start trusts it", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"));
  const start = readFileSync(new URL("../../prepare.mjs", import.meta.url), "utf8");

  expect(scripts.test).toContain("pnpm install --frozen-lockfile");
  expect(JSON.stringify(scripts)).not.toContain("--trust-lockfile");
  expect(start).toContain("pnpm install --frozen-lockfile --trust-lockfile --prefer-offline");
});

test("every package comes from the registry, with the hash of its content", () => {
  const packages: Record<string, { resolution: object }> = lockfile.packages;

  const others = Object.entries(packages).filter(
    ([, { resolution }]) => Object.keys(resolution).join() !== "integrity",
  );

  expect(Object.keys(packages).length).toBeGreaterThan(500);
  expect(others.map(([name]) => name)).toEqual([]);
});
